import { PublishBatchCommand, type PublishBatchRequestEntry, type SNSClient } from '@aws-sdk/client-sns';
import type { Topic } from '../events/topics.ts';
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
import type { Message, Rejection } from './message.ts';
import { callTimeout } from './sns-client.ts';

interface TopicSenderOptions {
  readonly sns: SNSClient;
  readonly topic: Topic;
  readonly topicArn: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/**
 * Sends one batch until SNS accepts or rejects each of its messages; returns the rejected ones.
 * @throws {PublishError} when it does neither.
 */
type SendBatch = (batch: readonly Message[]) => Promise<readonly Rejection[]>;

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
 * Sends batches to one topic. Messages that failed for a transient reason are sent again alone, before any later
 * message.
 */
export function createTopicSender(options: TopicSenderOptions): SendBatch {
  const { sns, topic, topicArn, clock, log, deadline } = options;

  const sendOnce = async (batch: readonly Message[]): Promise<readonly Refused[]> => {
    const time = deadline - clock.now();
    if (time <= 0) throw new PublishError('deadline', topic, 'the time was up before everything was sent');
    const command = new PublishBatchCommand({
      TopicArn: topicArn,
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

  return async (batch) => {
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
function entryId(n: number): string {
  return String(n);
}

function entryOf({ body, attributes }: Message, n: number): PublishBatchRequestEntry {
  const named = Object.entries(attributes).map(
    ([name, { type, value }]) => [name, { DataType: type, StringValue: value }] as const,
  );
  return { Id: entryId(n), Message: body, MessageAttributes: Object.fromEntries(named) };
}
