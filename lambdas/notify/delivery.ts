import { hash } from 'node:crypto';
import * as z from 'zod';
import type { PanelEvent } from '../events/schemas.ts';
import type { KeptItem } from '../store/items.ts';
import { alarmChangeSchema } from '../words/notice-of-alarm.ts';

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

/** When it was taken in, in milliseconds since the epoch; and the delivery that it is part of. */
const waiting = z.lazy(() => z.object({ at: z.number(), event, delivery: z.string().exactOptional() }));
/** An event that waits for its message. */
export type Waiting = Readonly<z.output<typeof waiting>>;

/**
 * What a delivery says. A digest does not name its events, because a month may have more than one item can hold: it has
 * those that were taken in before the end of its period and are not part of an earlier digest.
 */
export const contentSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('events'), events: z.array(z.string()).readonly() }).readonly(),
    z
      .object({
        kind: z.literal('digest'),
        period: z.object({ since: z.string(), until: z.string() }).readonly(),
        /** Panels whose messages this one replaces, because there would be far more of them than ever before. */
        burst: z.number().exactOptional(),
        /** Panels whose messages this one replaces, because there would be many within minutes. */
        bundle: z.number().exactOptional(),
      })
      .readonly(),
    z.object({ kind: z.literal('alarm'), alarm: alarmChangeSchema }).readonly(),
  ]),
);
/** What a delivery says: events, a digest or an alarm. */
export type DeliveryContent = z.output<typeof contentSchema>;

const delivery = z.lazy(() =>
  z.object({
    /** The same content for the same channel always has the same id. */
    id: z.string(),
    content: contentSchema,
    begun: z.number(),
    attempts: z.number(),
    notBefore: z.number(),
    /** True from the begin of an attempt until its outcome is stored: an attempt that was cut off may have arrived. */
    trying: z.boolean(),
    /**
     * It failed for a day: it `rests`, is `probed` by one attempt, after which it rests again, or a person has it sent `again`. Its events
     * are kept apart from those that each run lists.
     */
    aside: z.enum(['rests', 'probed', 'again']).exactOptional(),
    /** When a person asked for what was sent before. */
    repeated: z.number().exactOptional(),
    /** The last attempt that failed. */
    failed: z.object({ at: z.number(), reason: z.string() }).readonly().exactOptional(),
  }),
);
/** One message for one channel: begun, and perhaps tried. Times in milliseconds since the epoch. */
export type Delivery = Readonly<z.output<typeof delivery>>;

/** What is kept of a message for 30 days after its receiver took it. */
export const sentSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    content: contentSchema,
    begun: z.number(),
    at: z.number(),
    /** The sentence that can be read alone. */
    headline: z.string(),
    /** What the receiver answered, such as `HTTP 200` or the line of a mail server; no secret. */
    answer: z.string(),
  }),
);
/** A message that its receiver took. Times in milliseconds since the epoch. */
export type SentMessage = Readonly<z.output<typeof sentSchema>>;

/** How a delivery fares: `waiting`: not tried yet; `failing`: tried again soon; `set-aside`: failed for a day, tried twice a day. */
export function stateOf({ aside, attempts }: Delivery): 'waiting' | 'failing' | 'set-aside' {
  if (aside === 'rests' || aside === 'probed') return 'set-aside';
  return attempts > 0 ? 'failing' : 'waiting';
}

/** The id of a delivery: the same content for the same channel, by its partition of the outbox, has the same id. */
export function deliveryId(partition: string, content: DeliveryContent): string {
  // A period has one digest, whichever events a run that was cut off had found.
  const identity = content.kind === 'digest' ? ['digest', content.period.until] : content;
  return hash('sha256', JSON.stringify([partition, identity]), 'hex').slice(0, 32);
}

/** What each item of an outbox holds. A later version reads what this one wrote, so that fields are only added. */
const outboxValues = {
  event,
  waiting,
  delivery,
  sent: sentSchema,
  digest: z.object({ at: z.number() }),
  recent: z.object({ at: z.array(z.number()) }),
  usual: z.object({ panels: z.number() }),
  alarm: z.object({ state: z.enum(['alarm', 'ok']), at: z.string() }),
  place: z.object({ place: z.string() }),
  lease: z.object({ holder: z.string(), until: z.number() }),
} as const;

class OutboxItemError extends Error {
  override readonly name = 'OutboxItemError';
  readonly code = 'OUTBOX_ITEM_WRONG';
}

/**
 * The value of an item of a kind.
 * @throws {OutboxItemError} when it has another form; names the item and the first field that is wrong
 */
export function itemValue<Kind extends keyof typeof outboxValues>(
  { partition, id, value }: KeptItem,
  kind: Kind,
): z.output<(typeof outboxValues)[Kind]> {
  const read = outboxValues[kind].safeParse(value);
  if (read.success) return read.data as z.output<(typeof outboxValues)[Kind]>;
  const [issue] = read.error.issues;
  throw new OutboxItemError(
    `Reading ${id} of ${partition} in the outbox: ${issue?.path.join('.') || 'the value'} has another form. Expected ${issue?.message ?? 'what this version writes'}. Leave the item out with "messages drop", or go back to the version that wrote it.`,
  );
}
