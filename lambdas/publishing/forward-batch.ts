import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import { type BusEntry, busEntry } from './bus-entries.ts';
import { putEvents } from './put-events.ts';

/** A batch of SQS messages, as Lambda gets it. */
export interface QueueBatch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that stay in the queue. */
export interface QueueReply {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

interface ForwardOptions {
  readonly client: EventBridgeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** When no call may begin any more, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The ARN of the bus. */
  readonly bus: string;
  /** The `source` of the entries. */
  readonly source: string;
}

/**
 * Puts the events of a batch on the bus. What is no event, and what the bus did not take, stays in the queue: SQS hands it
 * out again, and in the end leaves it in the queue of undelivered messages.
 */
export async function forwardBatch(
  { Records }: QueueBatch,
  { bus, source, ...options }: ForwardOptions,
): Promise<QueueReply> {
  const entries: BusEntry[] = [];
  const failed: string[] = [];
  for (const record of Records) {
    try {
      entries.push(busEntry(record, { bus, source }));
    } catch (error) {
      options.log.error('A message of the queue is not an event; it stays there', {
        messageId: record.messageId,
        error,
      });
      failed.push(record.messageId);
    }
  }
  for (const { recordId } of await putEvents(entries, options)) failed.push(recordId);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
