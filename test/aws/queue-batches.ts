import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Runtime } from './runtime.ts';

/** A message of a batch, as the function gets it. */
export interface BatchRecord {
  readonly messageId: string;
  readonly body: string;
}

interface Batches {
  readonly queueUrl: string;
  readonly runtime: Runtime;
  /** Milliseconds by which the function's clock is ahead. */
  readonly aheadMs?: number;
}

const resultSchema = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) });

/**
 * Hands the messages of a queue to a function as Lambda's event source mapping does, in batches of ten: the messages
 * that the function names as failed stay in the queue, the others are deleted. Ends when no message is left, and gives
 * those that were taken.
 *
 * @throws {Error} when an invocation fails or a message stays in the queue
 */
export async function deliverBatches(
  sqs: SQSClient,
  { queueUrl: QueueUrl, runtime, aheadMs }: Batches,
): Promise<readonly BatchRecord[]> {
  const taken: BatchRecord[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return taken;
    const Records = Messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body }));
    const outcome = await runtime.invoke({ Records }, { aheadMs });
    if (!outcome.ok) throw new Error(`A batch failed: ${JSON.stringify(outcome.error)}`);
    const { batchItemFailures } = resultSchema.parse(outcome.result);
    if (batchItemFailures.length > 0)
      throw new Error(`${batchItemFailures.length} of ${Records.length} messages were not taken in`);
    for (const { ReceiptHandle } of Messages)
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    taken.push(...Records);
  }
}
