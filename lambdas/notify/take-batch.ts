import * as z from 'zod';
import { eventSchema, kindOf, type PanelEvent } from '../events/schemas.ts';
import type { Log } from '../run/log.ts';
import { readAlarm } from '../words/alarm.ts';
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

const envelopeSchema = z.lazy(() =>
  z.looseObject({
    specversion: z.literal('1.0'),
    id: z.string(),
    type: z.string().refine((type) => kindOf(type) !== undefined),
    data: z.looseObject({}),
  }),
);

const letterSchema = z.lazy(() =>
  z.object({
    deadLetter: z.object({
      delivery: z.string(),
      subscription: z.string(),
      channel: z.string(),
      reason: z.string(),
    }),
  }),
);

interface TakeOptions {
  readonly notifier: Notifier;
  readonly plan: NotifyPlan;
  readonly log: Log;
}

/** Takes in the messages one by one. One that fails stays in the queue; the others are not delivered again. */
export async function takeBatch(
  { Records }: Batch,
  { notifier, plan, log }: TakeOptions,
): Promise<BatchResult> {
  const failures: { itemIdentifier: string }[] = [];
  for (const { messageId, body } of Records) {
    try {
      await take(body, { notifier, plan, log });
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

/** The event, checked whole: one that its message could not be made of would hold up the others of its panel. */
function wholeEvent(value: z.infer<typeof envelopeSchema>): PanelEvent {
  const kind = kindOf(value.type);
  const { error } = kind === undefined ? {} : eventSchema(kind).safeParse(value);
  if (!error) return value as object as PanelEvent;
  const [issue] = error.issues;
  throw new UnknownMessageError(
    `Taking in the event ${value.id.slice(0, 100)} of the type ${value.type}: ${issue?.path.join('.') || 'it'} does not match its schema (${issue?.message.slice(0, 200) ?? ''}). Look at it in the queue of unsent messages; no other event waits for it.`,
  );
}

async function take(body: string, { notifier, plan, log }: TakeOptions): Promise<void> {
  const message: unknown = JSON.parse(body);
  const envelope = envelopeSchema.safeParse(message);
  if (envelope.success) return notifier.receive(wholeEvent(envelope.data));
  const letter = letterSchema.safeParse(message);
  if (letter.success) {
    const { deadLetter } = letter.data;
    if (!(await notifier.retry(letter.data))) {
      log.warn(
        'A dead letter names a message that is not kept here: it was sent or dropped, or its subscription is no longer in the settings. "messages list" shows what is kept',
        deadLetter,
      );
    }
    return;
  }
  const alarm = readAlarm(message, plan);
  if (alarm) return notifier.receiveAlarm(alarm);
  if (typeof message === 'object' && message !== null && 'AlarmName' in message) return;
  throw new UnknownMessageError(
    'Taking in a message of the queue: it is neither an event, an alarm nor a letter that was set aside. Look at it in the queue of unsent messages.',
  );
}
