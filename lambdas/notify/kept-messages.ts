import * as z from 'zod';
import { channelId } from '../channels/channel-settings.ts';
import type { Log } from '../run/log.ts';
import type { ItemStore } from '../store/items.ts';
import type { Delivery, DeliveryContent } from './delivery.ts';
import type { Outbox } from './outbox.ts';
import { createRegister, type Recipient, recipientsOf } from './recipients.ts';
import { type NotifyPlan, OPERATIONS } from './subscription.ts';

/** A message that was not sent yet. Times in milliseconds since the epoch. */
export interface KeptMessage {
  readonly id: string;
  readonly subscription: string;
  /** As `channelId` names it: `slack:lab`. */
  readonly channel: string;
  /** `waiting`: not tried yet. `failing`: tried again soon. `set-aside`: failed for a day, tried twice a day. */
  readonly state: 'waiting' | 'failing' | 'set-aside';
  readonly content: DeliveryContent;
  readonly begun: number;
  readonly attempts: number;
  /** No attempt before this time. */
  readonly notBefore: number;
  /** Why the last attempt failed; null before the first one. */
  readonly reason: string | null;
  /** Whether the settings have this subscription and channel no longer: nothing is sent until it is moved. */
  readonly orphaned: boolean;
}

/** What is kept and not sent. */
export interface KeptMessages {
  /** Every message that is begun and not sent, the oldest first; and events that wait for a channel that is gone. */
  list(): Promise<readonly KeptMessage[]>;
  /** Has a message sent at the next run; false where no message that can be sent has this id. */
  send(id: string): Promise<boolean>;
  /** Drops a message for good; false where none has this id. */
  drop(id: string): Promise<boolean>;
  /**
   * Hands the events that a channel waits for, and those of its messages, to a channel of the settings.
   * @returns the number of events; null where the settings have no such channel
   */
  move(from: Place, to: Place): Promise<number | null>;
}

/** A subscription and one of its channels, as `slack:lab`. */
interface Place {
  readonly subscription: string;
  readonly channel: string;
}

interface KeptOptions {
  readonly recipients: readonly Recipient[];
  readonly register: Pick<ReturnType<typeof createRegister>, 'orphans'>;
  readonly now: () => number;
}

/** What the outboxes of a plan keep, for a person: without channels, nothing can be sent from here. */
export function openKeptMessages(
  plan: NotifyPlan,
  { store, now, log }: { readonly store: ItemStore; readonly now: () => number; readonly log: Log },
): KeptMessages {
  const operations = { name: OPERATIONS, filter: {}, when: { kind: 'at-once', settleMinutes: 0 } } as const;
  const recipients = [...plan.subscriptions, { ...operations, ...plan.operations }].flatMap((each) =>
    recipientsOf(each, { store, now }),
  );
  const register = createRegister(recipients, { store, now, log });
  return createKeptMessages({ recipients, register, now });
}

/** Shows and changes what the outboxes of a plan keep. */
export function createKeptMessages({ recipients, register, now }: KeptOptions): KeptMessages {
  const places = recipients.map(({ subscription, channel, outbox }) => ({
    subscription: subscription.name,
    channel: channelId(channel),
    outbox,
  }));

  async function messagesOf(
    { subscription, channel, outbox }: Place & { readonly outbox: Outbox },
    orphaned: boolean,
  ): Promise<readonly KeptMessage[]> {
    const shown = (delivery: Delivery, aside: boolean): KeptMessage => ({
      ...{ id: delivery.id, subscription, channel, orphaned },
      state: aside || delivery.probing ? 'set-aside' : delivery.attempts > 0 ? 'failing' : 'waiting',
      content: delivery.content,
      begun: delivery.begun,
      attempts: delivery.attempts,
      notBefore: delivery.notBefore,
      reason: delivery.failed?.reason ?? null,
    });
    const open = await outbox.deliveries();
    const aside = await outbox.aside();
    const loose = orphaned ? await outbox.waiting() : [];
    return [
      ...open.map((delivery) => shown(delivery, false)),
      ...aside.map((delivery) => shown(delivery, true)),
      ...(loose.length === 0
        ? []
        : [
            {
              ...{ id: '', subscription, channel, orphaned, state: 'waiting', attempts: 0, reason: null },
              content: { kind: 'events', events: loose.map(({ event }) => event.id) },
              begun: Math.min(...loose.map(({ at }) => at)),
              notBefore: now(),
            } satisfies KeptMessage,
          ]),
    ];
  }

  return {
    async list() {
      const all: KeptMessage[] = [];
      for (const place of places) all.push(...(await messagesOf(place, false)));
      for (const place of await register.orphans()) all.push(...(await messagesOf(place, true)));
      return all.sort((one, other) => one.begun - other.begun);
    },
    async send(id) {
      for (const { outbox } of places) {
        if (await outbox.retry(id, { at: now(), probing: false })) return true;
        const open = (await outbox.deliveries()).find((delivery) => delivery.id === id);
        if (!open) continue;
        await outbox.update({ ...open, notBefore: now() });
        return true;
      }
      return false;
    },
    async drop(id) {
      for (const { outbox } of [...places, ...(await register.orphans())])
        if (await outbox.drop(id)) return true;
      return false;
    },
    async move(from, to) {
      const target = places.find(
        (each) => each.subscription === to.subscription && each.channel === to.channel,
      );
      const source = [...places, ...(await register.orphans())].find(
        (each) => each.subscription === from.subscription && each.channel === from.channel,
      );
      if (!target || target === source) return null;
      if (!source) return 0;
      return moveEvents(source.outbox, target.outbox, now());
    },
  };
}

async function moveEvents(source: Outbox, target: Outbox, at: number): Promise<number> {
  let moved = 0;
  const waiting = await source.waiting();
  for (const { event, at: taken } of waiting) await target.add(event, taken);
  // A delivery of what waits takes the events along when it is finished.
  const ids = waiting.map(({ event }) => event.id);
  if (ids.length > 0) {
    await source.begin({ kind: 'events', events: ids }, at);
    moved += ids.length;
  }
  for (const { id } of await source.aside()) await source.retry(id, { at, probing: false });
  for (const delivery of await source.deliveries()) {
    const events = await source.events(delivery);
    const own = new Set(ids);
    for (const event of events) await target.add(event, at);
    moved += events.filter(({ id }) => !own.has(id)).length;
    if (delivery.content.kind === 'alarm') await target.begin(delivery.content, at);
    await source.finish(delivery);
  }
  return moved;
}

const place = z.lazy(() => z.object({ subscription: z.string(), channel: z.string() }));

/** What a person asks of the messages that are kept. */
const requestSchema = z.lazy(() =>
  z.discriminatedUnion('verb', [
    z.object({ verb: z.literal('list') }),
    z.object({ verb: z.literal('send'), id: z.string() }),
    z.object({ verb: z.literal('drop'), id: z.string() }),
    z.object({ verb: z.literal('move'), from: place, to: place }),
  ]),
);

export type MessagesRequest = z.output<typeof requestSchema>;

const content = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('events'), events: z.array(z.string()) }),
    z.object({ kind: z.literal('digest'), period: z.object({ since: z.string(), until: z.string() }) }),
    z.object({
      kind: z.literal('alarm'),
      alarm: z.looseObject({ alarm: z.string(), state: z.enum(['alarm', 'ok']) }),
    }),
  ]),
);

/** The answer to a request: the list, or what became of the change. */
export const messagesAnswerSchema = z.lazy(() =>
  z.object({
    messages: z
      .array(
        z.object({
          id: z.string(),
          subscription: z.string(),
          channel: z.string(),
          state: z.enum(['waiting', 'failing', 'set-aside']),
          content,
          begun: z.number(),
          attempts: z.number(),
          notBefore: z.number(),
          reason: z.string().nullable(),
          orphaned: z.boolean(),
        }),
      )
      .exactOptional(),
    /** Whether there was such a message or place. */
    found: z.boolean(),
    /** Of a move: events that were handed over. */
    moved: z.number().exactOptional(),
  }),
);

export type MessagesAnswer = z.output<typeof messagesAnswerSchema>;

/** Reads a request; undefined where a value is none. */
export const messagesRequestIn = (value: unknown): MessagesRequest | undefined =>
  requestSchema.safeParse((value as { readonly messages?: unknown } | null)?.messages).data;

/** Does what a request asks. */
export async function answerMessages(request: MessagesRequest, kept: KeptMessages): Promise<MessagesAnswer> {
  switch (request.verb) {
    case 'list':
      return {
        found: true,
        messages: (await kept.list()).map((message) => ({
          ...message,
          content: { ...message.content },
        })) as never,
      };
    case 'send':
      return { found: await kept.send(request.id) };
    case 'drop':
      return { found: await kept.drop(request.id) };
    case 'move': {
      const moved = await kept.move(request.from, request.to);
      return moved === null ? { found: false } : { found: true, moved };
    }
    default:
      return request satisfies never;
  }
}
