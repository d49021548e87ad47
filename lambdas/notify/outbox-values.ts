import * as z from 'zod';
import type { PanelEvent } from '../events/schemas.ts';
import type { KeptItem } from '../store/items.ts';
import { alarmChangeSchema } from '../words/alarm.ts';
import type { Delivery, Waiting } from './delivery.ts';

/** The forms of what the outbox stores. A later version reads what this one wrote, so that fields are only added. */

/** An event was checked whole when it was taken in; here it must have what delivering uses. */
const event = z.lazy(() =>
  z
    .looseObject({
      id: z.string(),
      source: z.string(),
      type: z.string(),
      data: z.looseObject({ catalogue: z.string(), panel: z.looseObject({}).nullable() }),
    })
    .transform((value) => value as object as PanelEvent),
);

const waiting = z.lazy(() =>
  z
    .object({ at: z.number(), event, delivery: z.string().exactOptional() })
    .transform((value): Waiting => value),
);

const content = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('events'), events: z.array(z.string()) }),
    z.object({
      kind: z.literal('digest'),
      period: z.object({ since: z.string(), until: z.string() }),
      burst: z.number().exactOptional(),
      bundle: z.number().exactOptional(),
    }),
    z.object({ kind: z.literal('alarm'), alarm: alarmChangeSchema }),
  ]),
);

const delivery = z.lazy(() =>
  z
    .object({
      id: z.string(),
      content,
      begun: z.number(),
      attempts: z.number(),
      notBefore: z.number(),
      trying: z.boolean(),
      probing: z.boolean().exactOptional(),
      failed: z.object({ at: z.number(), reason: z.string() }).exactOptional(),
    })
    .transform((value): Delivery => value),
);

/** What each item of an outbox holds. */
export const outboxValues = {
  event,
  waiting,
  delivery,
  digest: z.object({ at: z.number() }),
  recent: z.object({ at: z.array(z.number()) }),
  usual: z.object({ panels: z.number() }),
  alarm: z.object({ state: z.enum(['alarm', 'ok']), at: z.string() }),
  place: z.object({ place: z.string() }),
  lease: z.object({ holder: z.string(), until: z.number() }),
} as const;

/** An item of the outbox has another form than this version writes. */
class OutboxItemError extends Error {
  override readonly name = 'OutboxItemError';
  readonly code = 'OUTBOX_ITEM_WRONG';
}

/**
 * The value of an item.
 * @throws {OutboxItemError} when it has another form; names the item and the first field that is wrong
 */
export function itemValue<Value>({ partition, id, value }: KeptItem, schema: z.ZodType<Value>): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new OutboxItemError(
    `Reading ${id} of ${partition} in the outbox: ${issue?.path.join('.') || 'the value'} has another form. Expected ${issue?.message ?? 'what this version writes'}. Leave the item out with "messages drop", or go back to the version that wrote it.`,
  );
}
