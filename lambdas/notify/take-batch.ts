import * as z from 'zod';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import type { Log } from '../log/log.ts';
import { readAlarm } from '../messages/alarm.ts';
import type { Notifier } from './notifier.ts';
import type { NotifyPlan } from './subscription.ts';

/** A batch of SQS messages, as Lambda gets it. */
export interface Batch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that stay in the queue. */
export interface BatchResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const eventSchema = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string(),
  type: z.string().refine((type) => kindOf(type) !== undefined),
  data: z.looseObject({}),
});

const letterSchema = z.object({
  deadLetter: z.object({
    delivery: z.string(),
    subscription: z.string(),
    channel: z.string(),
    reason: z.string(),
  }),
});

/** Takes in the messages one by one. One that fails stays in the queue; the others are not delivered again. */
export async function takeBatch(
  { Records }: Batch,
  { notifier, plan, log }: { readonly notifier: Notifier; readonly plan: NotifyPlan; readonly log: Log },
): Promise<BatchResult> {
  const failures: { itemIdentifier: string }[] = [];
  for (const { messageId, body } of Records) {
    try {
      await take(body, notifier, plan);
    } catch (error) {
      log.error('A message of the queue could not be taken in; it stays there', { messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}

/** The queue holds a message of another kind. */
class UnknownMessageError extends Error {
  override readonly name = 'UnknownMessageError';
  readonly code = 'MESSAGE_UNKNOWN';
}

async function take(body: string, notifier: Notifier, plan: NotifyPlan): Promise<void> {
  const message: unknown = JSON.parse(body);
  const event = eventSchema.safeParse(message);
  if (event.success) return notifier.receive(event.data as object as PanelEvent);
  const letter = letterSchema.safeParse(message);
  if (letter.success) {
    await notifier.retry(letter.data);
    return;
  }
  const alarm = readAlarm(message, plan);
  if (alarm) return notifier.receiveAlarm(alarm);
  if (typeof message === 'object' && message !== null && 'AlarmName' in message) return;
  throw new UnknownMessageError(
    'Taking in a message of the queue: it is neither an event, an alarm nor a letter that was set aside. Look at it in the queue of unsent messages.',
  );
}
