import { hash } from 'node:crypto';
import * as z from 'zod';
import type { PanelEvent } from '../events/schemas.ts';
import type { KeptItem } from '../store/items.ts';
import { type AlarmChange, alarmChangeSchema } from '../words/alarm.ts';
import type { DigestPeriod } from '../words/notice-of-digest.ts';

/** An event that waits for its message. */
export interface Waiting {
  /** When it was taken in, in milliseconds since the epoch. */
  readonly at: number;
  readonly event: PanelEvent;
  /** The delivery that it is part of. */
  readonly delivery?: string;
}

/**
 * What a delivery says. A digest does not name its events, because a month may have more than one item can hold: it has
 * those that were taken in before the end of its period and are not part of an earlier digest.
 */
export type DeliveryContent =
  | { readonly kind: 'events'; readonly events: readonly string[] }
  | {
      readonly kind: 'digest';
      readonly period: DigestPeriod;
      /** Panels whose messages this one replaces, because there would be far more of them than ever before. */
      readonly burst?: number;
      /** Panels whose messages this one replaces, because there would be many within minutes. */
      readonly bundle?: number;
    }
  | { readonly kind: 'alarm'; readonly alarm: AlarmChange };

/** One message for one channel: begun, and perhaps tried. Times in milliseconds since the epoch. */
export interface Delivery {
  /** The same content for the same channel always has the same id. */
  readonly id: string;
  readonly content: DeliveryContent;
  readonly begun: number;
  readonly attempts: number;
  readonly notBefore: number;
  /** True from the begin of an attempt until its outcome is stored: an attempt that was cut off may have arrived. */
  readonly trying: boolean;
  /** It was set aside and is tried once: where that fails, it is set aside again at once. */
  readonly probing?: boolean;
  /** The last attempt that failed. */
  readonly failed?: { readonly at: number; readonly reason: string };
}

/** The id of a delivery: the same content for the same channel, by its partition of the outbox, has the same id. */
export function deliveryId(partition: string, content: DeliveryContent): string {
  // A period has one digest, whichever events a run that was cut off had found.
  const identity = content.kind === 'digest' ? ['digest', content.period.until] : content;
  return hash('sha256', JSON.stringify([partition, identity]), 'hex').slice(0, 32);
}

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
