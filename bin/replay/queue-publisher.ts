import {
  type BatchResultErrorEntry,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { batchesOf } from '../../lambdas/publishing/batches.ts';
import type { Message, Rejection } from '../../lambdas/publishing/message.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import { ReplayError } from './replay-error.ts';
import type { Target } from './target.ts';

export interface QueuePublisherOptions {
  readonly sqs: SQSClient;
  readonly target: Target;
  readonly clock: Clock;
}

/** What is left of a batch is sent again this many times; the SDK repeats whole calls by itself. */
const RESENDS = 5;
const FIRST_WAIT = 200;

/**
 * Sends events to a queue, as SNS with raw delivery does: the body is the event, and the attributes are those of SNS.
 * @throws {ReplayError} when the queue does not accept them
 */
export function createQueuePublisher({ sqs, target, clock }: QueuePublisherOptions): Publisher {
  let address: Promise<string> | undefined;
  const failed = (seen: string, options?: ErrorOptions): ReplayError =>
    new ReplayError(
      `Sending to the queue ${target.arn}: ${seen}. Check the ARN, the AWS credentials, and that they may sqs:GetQueueUrl and sqs:SendMessage.`,
      options,
    );
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (cause) {
      throw failed(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause });
    }
  };
  const findAddress = async (): Promise<string> => {
    const { name, account } = target;
    const command = new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account });
    const { QueueUrl } = await attempt(() => sqs.send(command));
    if (QueueUrl === undefined) throw failed('SQS gave no address for it');
    return QueueUrl;
  };

  const sendBatch = async (batch: readonly Message[]): Promise<readonly Rejection[]> => {
    address ??= findAddress();
    const QueueUrl = await address;
    const rejections: Rejection[] = [];
    let left = batch;
    for (let resends = 0; ; resends++) {
      const sent = left;
      const command = new SendMessageBatchCommand({ QueueUrl, Entries: sent.map(entryOf) });
      const response = await attempt(() => sqs.send(command));
      const accepted = new Set(response.Successful?.map(({ Id }) => Id));
      const faults = new Map(response.Failed?.map((fault) => [fault.Id, fault]));
      const again: Message[] = [];
      let last: BatchResultErrorEntry | undefined;
      for (const [n, message] of sent.entries()) {
        if (accepted.has(String(n))) continue;
        const fault = faults.get(String(n));
        if (fault?.SenderFault) {
          rejections.push({ message, code: fault.Code ?? 'Unknown', reason: fault.Message ?? '' });
          continue;
        }
        last = fault ?? last;
        again.push(message);
      }
      if (again.length === 0) return rejections;
      if (resends === RESENDS) {
        const seen = [last?.Code ?? 'NoAnswer', last?.Message].filter(Boolean).join(': ');
        throw failed(`${seen} (${RESENDS} resends)`);
      }
      await clock.sleep(clock.random() * FIRST_WAIT * 2 ** resends);
      left = again;
    }
  };

  return {
    async publish(messages) {
      const rejections: Rejection[] = [];
      for (const batch of batchesOf(messages)) rejections.push(...(await sendBatch(batch)));
      return rejections;
    },
  };
}

function entryOf({ body, attributes }: Message, n: number) {
  const named = Object.entries(attributes).map(
    ([name, { type, value }]) => [name, { DataType: type, StringValue: value }] as const,
  );
  return { Id: String(n), MessageBody: body, MessageAttributes: Object.fromEntries(named) };
}
