import {
  type BatchResultErrorEntry,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { batchesOf } from '../../lambdas/publishing/batches.ts';
import type { Message, Rejection } from '../../lambdas/publishing/message.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { awsProblem } from '../command.ts';
import type { Target } from './target.ts';
import { ReplayError } from './target.ts';

/** The address of a queue. The request for it also shows that the queue exists. */
export async function findQueue(sqs: SQSClient, { name, account }: Target): Promise<string> {
  const command = new GetQueueUrlCommand({
    QueueName: name,
    ...(account !== undefined && { QueueOwnerAWSAccountId: account }),
  });
  return (await sqs.send(command)).QueueUrl ?? '';
}

export interface QueuePublisherOptions {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  /** The queue as a person named it. */
  readonly given: string;
  readonly clock: Clock;
}

/** How often the rest of a batch is sent again; the SDK repeats whole calls by itself. */
const RESENDS = 5;
/** In milliseconds. */
const FIRST_WAIT = 200;

/**
 * Sends events to a queue, as SNS with raw delivery does: the body is the event, and the attributes are those of SNS.
 * @throws {ReplayError} when the queue does not accept them
 */
export function createQueuePublisher({ sqs, queueUrl, given, clock }: QueuePublisherOptions): Publisher {
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (cause) {
      const { seen, remedy } = awsProblem(cause);
      throw new ReplayError(`Sending to ${given}: ${seen}. ${remedy}`, { cause });
    }
  };

  const sendBatch = async (batch: readonly Message[]): Promise<readonly Rejection[]> => {
    const rejections: Rejection[] = [];
    let left = batch;
    for (let resends = 0; ; resends++) {
      const sent = left;
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: sent.map(entryOf) });
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
        throw new ReplayError(
          `Sending to ${given}: the queue did not accept part of the events: ${seen} (${RESENDS} resends). Run the command again later.`,
        );
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
