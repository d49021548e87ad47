import {
  PublishBatchCommand,
  type PublishBatchRequestEntry,
  SNSClient,
  type SNSClientConfig,
} from '@aws-sdk/client-sns';
import { type Topic, topics } from '../events/kinds.ts';
import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import {
  type Fault,
  faultOfCall,
  faultOfEntry,
  isTransient,
  PublishError,
  type ServiceFault,
} from './faults.ts';
import { batchesOf, type Message, type Publisher, type Rejection } from './message.ts';

interface PublisherOptions {
  /** From `createSnsClient`: it sends each call once, and the publisher repeats calls itself. */
  readonly sns: SNSClient;
  readonly topicArns: Readonly<Record<Topic, string>>;
  readonly clock: Clock;
  readonly log: Log;
  /** When publishing must end, in milliseconds since the epoch; no limit where absent. */
  readonly deadline?: number;
}

/**
 * A publisher that calls SNS.
 * @throws {PublishError} when an ARN is not that of a standard topic.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { sns, topicArns, log } = options;
  const regions = new Map(topics.map((topic) => [topic, regionOf(topic, topicArns[topic])]));

  const publishTo = async (topic: Topic, messages: readonly Message[]): Promise<readonly Rejection[]> => {
    const region = await sns.config.region();
    // SNS would refuse every message because of the ARN, with the code of a bad message.
    if (region !== regions.get(topic)) {
      throw new PublishError('topic-missing', topic, `it is not in the client's region, ${region}`);
    }
    const send = createTopicSender(options, topic);
    const rejections: Rejection[] = [];
    for (const batch of batchesOf(messages)) rejections.push(...(await send(batch)));
    return rejections;
  };

  return {
    publish: async (messages) => {
      const families = [...Map.groupBy(messages, ({ topic }) => topic)];
      const results = await Promise.allSettled(families.map(([topic, own]) => publishTo(topic, own)));
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      for (const error of errors.slice(1))
        log.error('Publishing to another topic stopped as well', { error });
      if (errors.length > 0) throw errors[0];
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  };
}

function regionOf(topic: Topic, arn: string): string {
  const region = /^arn:[\w-]+:sns:([\w-]+):\d{12}:[\w-]{1,256}$/.exec(arn)?.[1];
  if (region !== undefined) return region;
  throw new PublishError('topic-missing', topic, `'${arn}' is not the ARN of a standard SNS topic`);
}

/** The rest of a batch is sent again this many times. */
const RESENDS = 5;
/** The wait before the first resend is drawn from 0 to this many milliseconds. The limit doubles each time. */
const FIRST_WAIT = 200;
const LONGEST_WAIT = 5_000;

/** A message that SNS did not accept, and why. */
interface Refused {
  readonly message: Message;
  readonly fault: Fault;
}

const unanswered: Fault = {
  kind: 'unavailable',
  code: 'NoAnswer',
  reason: 'the response does not mention a message',
};

/**
 * Returns what sends a batch to one topic, until SNS accepts or rejects each of its messages; it gives the rejected ones. Messages
 * that failed for a transient reason are sent again alone, before any later message. It throws {PublishError} where SNS does neither.
 */
function createTopicSender(options: PublisherOptions, topic: Topic) {
  const { sns, topicArns, clock, log, deadline = Number.POSITIVE_INFINITY } = options;

  const sendOnce = async (batch: readonly Message[]): Promise<readonly Refused[]> => {
    const time = deadline - clock.now();
    if (time <= 0) throw new PublishError('deadline', topic, 'the time was up before everything was sent');
    const command = new PublishBatchCommand({
      TopicArn: topicArns[topic],
      PublishBatchRequestEntries: batch.map(entryOf),
    });
    try {
      const response = await sns.send(command, time < callTimeout ? { requestTimeout: time } : {});
      const accepted = new Set(response.Successful?.map(({ Id }) => Id));
      const faults = new Map(response.Failed?.map((failed) => [failed.Id, faultOfEntry(failed)]));
      return batch.flatMap((message, n) =>
        accepted.has(entryId(n)) ? [] : [{ message, fault: faults.get(entryId(n)) ?? unanswered }],
      );
    } catch (error) {
      const fault = faultOfCall(error);
      // A refusal of the whole batch does not say which message is the cause.
      if (fault.kind === 'message' && batch.length > 1) return sendOneByOne(batch);
      return batch.map((message) => ({ message, fault }));
    }
  };

  const sendOneByOne = async (batch: readonly Message[]): Promise<readonly Refused[]> => {
    const refused: Refused[] = [];
    for (const message of batch) refused.push(...(await sendOnce([message])));
    return refused;
  };

  const waitBeforeResend = async (fault: ServiceFault, resends: number): Promise<void> => {
    const { kind, code, reason, cause } = fault;
    const seen = `${code}: ${reason}`;
    if (!isTransient(fault)) throw new PublishError(kind, topic, seen, { cause });
    if (resends === RESENDS) throw new PublishError(kind, topic, `${seen} (${RESENDS} resends)`, { cause });
    const wait = clock.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** resends);
    if (clock.now() + wait >= deadline) {
      throw new PublishError('deadline', topic, `${seen}, and no time is left to send again`, { cause });
    }
    log.warn('Sending to SNS again', { topic, code, reason, resend: resends + 1, waitMs: Math.round(wait) });
    await clock.sleep(wait);
  };

  return async (batch: readonly Message[]): Promise<readonly Rejection[]> => {
    const rejections: Rejection[] = [];
    let left = batch;
    for (let resends = 0; left.length > 0; resends += 1) {
      const faults: ServiceFault[] = [];
      const failed: Message[] = [];
      for (const { message, fault } of await sendOnce(left)) {
        if (fault.kind === 'message') {
          rejections.push({ message, code: fault.code, reason: fault.reason });
          continue;
        }
        failed.push(message);
        faults.push(fault);
      }
      const worst = faults.find((fault) => !isTransient(fault)) ?? faults[0];
      if (worst) await waitBeforeResend(worst, resends);
      left = failed;
    }
    return rejections;
  };
}

/** The id of an entry has to be unique within its batch only; the event's id is in the body. */
const entryId = (n: number): string => String(n);

function entryOf({ body, attributes }: Message, n: number): PublishBatchRequestEntry {
  const named = Object.entries(attributes).map(
    ([name, { type, value }]) => [name, { DataType: type, StringValue: value }] as const,
  );
  return { Id: entryId(n), Message: body, MessageAttributes: Object.fromEntries(named) };
}

/** The most milliseconds until the response to a call begins. */
export const callTimeout = 5_000;

/**
 * The SDK's client for the publisher. It sends each call once, because the publisher repeats calls itself: only
 * the messages that failed, and with waits of the run's clock. A call without a response fails.
 */
export function createSnsClient(
  config: Pick<SNSClientConfig, 'endpoint' | 'region' | 'credentials'> & { readonly timeout?: number } = {},
): SNSClient {
  const { timeout = callTimeout, ...rest } = config;
  return new SNSClient({
    ...rest,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: timeout,
      requestTimeout: timeout,
      socketTimeout: timeout,
      throwOnRequestTimeout: true,
    },
  });
}
