import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { BatchResultErrorEntry, SQSClient } from '@aws-sdk/client-sqs';
import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import { type Topic, topics } from '../lambdas/events/kinds.ts';
import type { Publisher } from '../lambdas/publishing/message.ts';
import { batchesOf, type Message, type Rejection } from '../lambdas/publishing/message.ts';
import { inGroups } from '../lambdas/run/in-groups.ts';
import type { Log } from '../lambdas/run/log.ts';
import { awsProblem, type Io, UsageError } from './command.ts';

/** Events could not be replayed. Sending them again does no harm: their ids are the same. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code = 'REPLAY_FAILED';
}

/** What AWS refused, as the error of an action. */
export function replayError(action: string, cause: unknown, consequence = ''): ReplayError {
  if (cause instanceof ReplayError) return cause;
  const { seen, remedy } = awsProblem(cause);
  return new ReplayError(`${action}: ${seen}. ${consequence}${remedy}`, { cause });
}

const targetServices = { queue: 'sqs', topic: 'sns', function: 'lambda' } as const;

/** A queue, topic or function that gets events again. */
interface Target {
  readonly kind: keyof typeof targetServices;
  /** Its ARN, its address or its name, as it was given. */
  readonly given: string;
  readonly name: string;
  /** The region of the environment where the target does not name one. */
  readonly region?: string;
  /** The account of the credentials where the target does not name one. */
  readonly account?: string;
}

const EXPECTED =
  'expected the ARN of an SNS topic, SQS queue or Lambda function, the address of a queue, or queue:NAME, topic:NAME or function:NAME';

/** Whether a value of `--to` is meant as a target: ratings have no colon. */
export const isTarget = (value: string): boolean => value.includes(':');

/** @throws {UsageError} when the text names no standard topic, standard queue or function */
export function readTarget(option: string, given: string): Target {
  const target = byArn(given) ?? byAddress(given) ?? byName(given);
  const shown = `${option} ${JSON.stringify(given)}`;
  if (!target) throw new UsageError(`${shown}: ${EXPECTED}`);
  if (target.name.endsWith('.fifo')) {
    throw new UsageError(`${shown}: that is a FIFO topic or queue; expected a standard one`);
  }
  return target;
}

function byArn(given: string): Target | undefined {
  const found =
    /^arn:[\w-]+:(sns|sqs|lambda):([\w-]+):(\d{12}):(function:)?([\w-]{1,256}(?:\.fifo)?)(:[\w$-]+)?$/.exec(
      given,
    );
  const [, service, region = '', account = '', isFunction, name = '', version] = found ?? [];
  const kind = kindOf(service);
  // Only a function's ARN has these parts.
  if (!kind || (kind === 'function') !== (isFunction !== undefined) || (version && kind !== 'function'))
    return;
  return { kind, given, name, region, account };
}

const kindOf = (service: string | undefined): Target['kind'] | undefined =>
  (Object.keys(targetServices) as Target['kind'][]).find((kind) => targetServices[kind] === service);

function byAddress(given: string): Target | undefined {
  const [, region, host, account = '', name = ''] =
    /^https?:\/\/(?:sqs\.([\w-]+)\.amazonaws\.com[\w.]*|(\[::1\]|[\w.-]+)(?::\d+)?)\/(\d{12})\/([\w-]{1,80}(?:\.fifo)?)$/.exec(
      given,
    ) ?? [];
  // An emulator of SQS runs on this machine; no other host has queues.
  if (name === '' || (host !== undefined && !isLoopback(host))) return;
  return { kind: 'queue', given, name, account, ...(region !== undefined && { region }) };
}

function byName(given: string): Target | undefined {
  const [, kind, name = ''] = /^(queue|topic|function):([\w-]{1,256}(?:\.fifo)?)$/.exec(given) ?? [];
  return kind === undefined ? undefined : { kind: kind as Target['kind'], given, name };
}

interface OpenTarget extends Publisher {
  close(): void;
}

interface TargetContext extends Pick<Io, 'clock'> {
  readonly log: Log;
  /** The topics of the deployed stage, where one is known. */
  readonly topicArns?: Readonly<Record<Topic, string>> | undefined;
}

type Opener = (target: Target, context: TargetContext) => Promise<OpenTarget>;

/**
 * Opens a target with the AWS credentials of the environment. Each SDK is loaded only where it is used.
 * @throws {ReplayError} when the target cannot be found, and later when it does not accept events
 */
export const openTarget: Opener = (target, context) =>
  openers[target.kind](target, context).catch((cause) => {
    throw replayError(`Opening ${target.given}`, cause, 'Nothing was sent. ');
  });

const regionOf = ({ region }: Target) => ({ ...(region !== undefined && { region }) });

const openTopic: Opener = async (target, { clock, log }) => {
  const { createPublisher, createSnsClient } = await import('../lambdas/publishing/publisher.ts');
  const sns = createSnsClient(regionOf(target));
  const arn = await findTopic(sns, target);
  const topicArns = Object.fromEntries(topics.map((topic) => [topic, arn])) as Record<Topic, string>;
  return { ...createPublisher({ sns, topicArns, clock, log }), close: () => sns.destroy() };
};

/** The ARN of a topic. Where only its name is known, the topics of the account are listed. */
async function findTopic(sns: SNSClient, { given, name, account }: Target): Promise<string> {
  if (account !== undefined) return given;
  const { paginateListTopics } = await import('@aws-sdk/client-sns');
  for await (const { Topics = [] } of paginateListTopics({ client: sns }, {})) {
    const found = Topics.find(({ TopicArn }) => TopicArn?.endsWith(`:${name}`));
    if (found?.TopicArn) return found.TopicArn;
  }
  throw new ReplayError(
    `Opening ${given}: this account has no topic "${name}" in ${await sns.config.region()}. Nothing was sent. Give its ARN, or set AWS_REGION.`,
  );
}

const PARALLEL = 10;

/** The errors of Lambda about an event that it can never accept. */
const UNACCEPTABLE =
  /^(RequestTooLargeException|InvalidRequestContentException|UnsupportedMediaTypeException)$/;

/**
 * Invokes a function once for each event, asynchronously, with what SNS passes to a function that subscribes to the
 * event's topic. Lambda then runs the function, and repeats a run that fails, as it does after SNS.
 */
const openFunction: Opener = async (target, context) => {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  // The SDK repeats a call by itself when Lambda is busy.
  const lambda: LambdaClient = new LambdaClient({ ...regionOf(target), maxAttempts: 8 });
  const invoke = async (message: Message): Promise<readonly Rejection[]> => {
    try {
      await lambda.send(
        new InvokeCommand({
          FunctionName: target.account === undefined ? target.name : target.given,
          InvocationType: 'Event',
          Payload: JSON.stringify({ Records: [recordOf(message, target, context)] }),
        }),
      );
      return [];
    } catch (cause) {
      const { name, message: reason } = cause as Error;
      if (UNACCEPTABLE.test(name)) return [{ message, code: name, reason }];
      throw replayError(`Invoking ${target.given}`, cause);
    }
  };
  return {
    publish: async (messages) => (await inGroups(PARALLEL, messages, invoke)).flat(),
    close: () => lambda.destroy(),
  };
};

/** The record of SNS. Its message id is made of the event's, so that it is the same for each replay. */
function recordOf(
  { id, topic, body, attributes }: Message,
  { region = 'us-east-1', account = '000000000000' }: Target,
  { topicArns, clock }: TargetContext,
) {
  const TopicArn = topicArns?.[topic] ?? `arn:aws:sns:${region}:${account}:replay-${topic}`;
  return {
    EventSource: 'aws:sns',
    EventVersion: '1.0',
    EventSubscriptionArn: `${TopicArn}:00000000-0000-0000-0000-000000000000`,
    Sns: {
      Type: 'Notification',
      MessageId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      TopicArn,
      Subject: null,
      Message: body,
      Timestamp: new Date(clock.now()).toISOString(),
      SignatureVersion: '1',
      Signature: 'REPLAYED',
      SigningCertUrl: '',
      UnsubscribeUrl: '',
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { type, value }]) => [name, { Type: type, Value: value }]),
      ),
    },
  };
}

/** How often the rest of a batch is sent again; the SDK repeats whole calls by itself. */
const RESENDS = 5;
/** In milliseconds. */
const FIRST_WAIT = 200;

/** Sends events to a queue, as SNS with raw delivery does: the body is the event, and the attributes are those of SNS. */
const openQueue: Opener = async (target, { clock }) => {
  const { GetQueueUrlCommand, SQSClient, SendMessageBatchCommand } = await import('@aws-sdk/client-sqs');
  const { given, name: QueueName, account: QueueOwnerAWSAccountId } = target;
  const sqs: SQSClient = new SQSClient(regionOf(target));
  // The request for its address also shows that the queue exists.
  const { QueueUrl } = await sqs.send(
    new GetQueueUrlCommand({ QueueName, ...(QueueOwnerAWSAccountId && { QueueOwnerAWSAccountId }) }),
  );
  const sendBatch = async (batch: readonly Message[]): Promise<readonly Rejection[]> => {
    const rejections: Rejection[] = [];
    let left = batch;
    for (let resends = 0; ; resends++) {
      const command = new SendMessageBatchCommand({ QueueUrl, Entries: left.map(entryOf) });
      const { Successful = [], Failed = [] } = await sqs.send(command).catch((cause) => {
        throw replayError(`Sending to ${given}`, cause);
      });
      const accepted = new Set(Successful.map(({ Id }) => Id));
      const faults = new Map(Failed.map((fault) => [fault.Id, fault]));
      let last: BatchResultErrorEntry | undefined;
      left = left.filter((message, n) => {
        const fault = faults.get(String(n));
        if (accepted.has(String(n))) return false;
        if (!fault?.SenderFault) {
          last = fault ?? last;
          return true;
        }
        rejections.push({ message, code: fault.Code ?? 'Unknown', reason: fault.Message ?? '' });
        return false;
      });
      if (left.length === 0) return rejections;
      if (resends === RESENDS) {
        const seen = [last?.Code ?? 'NoAnswer', last?.Message].filter(Boolean).join(': ');
        throw new ReplayError(
          `Sending to ${given}: the queue did not accept part of the events: ${seen} (${RESENDS} resends). Run the command again later.`,
        );
      }
      await clock.sleep(clock.random() * FIRST_WAIT * 2 ** resends);
    }
  };
  return {
    async publish(messages) {
      const rejections: Rejection[] = [];
      for (const batch of batchesOf(messages)) rejections.push(...(await sendBatch(batch)));
      return rejections;
    },
    close: () => sqs.destroy(),
  };
};

function entryOf({ body, attributes }: Message, n: number) {
  const named = Object.entries(attributes).map(
    ([name, { type, value }]) => [name, { DataType: type, StringValue: value }] as const,
  );
  return { Id: String(n), MessageBody: body, MessageAttributes: Object.fromEntries(named) };
}

const openers: Readonly<Record<Target['kind'], Opener>> = {
  queue: openQueue,
  topic: openTopic,
  function: openFunction,
};
