import * as z from 'zod';
import { MINUTE_MS } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import type { ItemStore } from '../store/items.ts';
import { contentSchema, type Delivery, sentSchema, stateOf } from './delivery.ts';
import {
  createOutbox,
  itemsOfOutbox,
  type KeptPlace,
  type Outbox,
  operationsOf,
  type Place,
  type Recipient,
  recipientsOf,
} from './outbox.ts';
import type { NotifyPlan } from './subscription.ts';

const placeSchema = z.lazy(() => z.object({ subscription: z.string(), channel: z.string() }));

const keptSchema = z.lazy(() =>
  z.object({
    ...{ id: z.string(), subscription: z.string(), channel: z.string() },
    state: z.enum(['waiting', 'failing', 'set-aside']),
    content: contentSchema,
    ...{ begun: z.number(), attempts: z.number() },
    /** No attempt before this time. */
    notBefore: z.number(),
    /** Why the last attempt failed; null before the first one. */
    reason: z.string().nullable(),
    /** Whether the settings have this subscription and channel no longer: nothing is sent until it is moved. */
    orphaned: z.boolean(),
  }),
);
/** A message that was not sent yet. Times in milliseconds since the epoch. */
export type KeptMessage = Readonly<z.output<typeof keptSchema>>;

const listedSentSchema = z.lazy(() => z.intersection(placeSchema, sentSchema));
/** A message that was sent, and where. */
export type ListedSent = Readonly<z.output<typeof listedSentSchema>>;

/** Messages that are set aside, those whose last attempt failed, and those that no attempt was made for yet. */
export interface Backlog {
  readonly setAside: number;
  readonly failing: number;
  readonly begun: number;
  /** Channels that the settings no longer have, for which messages wait, as `green-genes/slack:lab`. */
  readonly orphaned: readonly string[];
}

/** What is kept of messages. */
type KeptMessages = ReturnType<typeof createKeptMessages>;

/** Where messages are kept, and where what a person should look at is logged. */
type LoggedPlace = KeptPlace & { readonly log: Log };

/** What the outboxes of a plan keep, for a person: without channels, nothing can be sent from here. */
export const openKeptMessages = (plan: NotifyPlan, kept: LoggedPlace): KeptMessages =>
  createKeptMessages(
    [...plan.subscriptions, operationsOf(plan)].flatMap((each) => recipientsOf(each, kept)),
    kept,
  );

/** Shows and changes what the outboxes of recipients keep, and of those that the settings no longer have. */
export function createKeptMessages(recipients: readonly Recipient[], { store, now, log }: LoggedPlace) {
  const places = recipients.map(({ place, outbox }) => ({ ...place, outbox }));
  const register = createRegister(recipients, { store, now, log });
  const orphans = async () => (await register.orphans()).map((each) => ({ ...each, orphaned: true }));

  async function messagesOf({
    outbox,
    orphaned = false,
    ...place
  }: Place & { readonly outbox: Outbox; readonly orphaned?: boolean }): Promise<readonly KeptMessage[]> {
    const begun = (await outbox.deliveries()).map((delivery) => shownDelivery(delivery, place, orphaned));
    const loose = orphaned ? await outbox.waiting() : [];
    if (loose.length === 0) return begun;
    const events = loose.map(({ event }) => event.id);
    return [
      ...begun,
      {
        ...{ id: '', ...place, orphaned, state: 'waiting', attempts: 0, reason: null },
        ...{ content: { kind: 'events', events }, begun: Math.min(...loose.map(({ at }) => at)) },
        notBefore: now(),
      },
    ];
  }

  async function list(): Promise<readonly KeptMessage[]> {
    const all = await Promise.all([...places, ...(await orphans())].map(messagesOf));
    return all.flat().sort((one, other) => one.begun - other.begun);
  }

  return {
    ...{ note: register.note, report: register.report },
    /** Every message that is begun and not sent, the oldest first; and events that wait for a channel that is gone. */
    list,
    /** Every message of the last 30 days that its receiver took, the newest first. */
    sent: async () => (await messagesIn(store)).sent,
    /** How many messages are not sent. */
    async backlog() {
      const all = await list();
      const count = (state: KeptMessage['state']): number =>
        all.filter((each) => !each.orphaned && each.state === state).length;
      const stranded = all.filter(({ orphaned }) => orphaned).map(nameOf);
      return {
        ...{ setAside: count('set-aside'), failing: count('failing'), begun: count('waiting') },
        orphaned: [...new Set(stranded)],
      };
    },
    /**
     * How long the oldest message that is due has waited, in seconds; 0 where none is due. A message that failed counts
     * until it is sent or dropped, also while it is set aside, and so do changes that a run should have made into a message, and
     * all that waits for a channel that the settings no longer have.
     */
    async oldestUnsentSeconds() {
      const due = (await list()).map(({ begun }) => begun);
      for (const { outbox, subscription } of recipients) {
        const { when } = subscription;
        // A digest waits for its hour, for a month at most.
        if (when.kind === 'digest') continue;
        due.push(...(await outbox.waiting()).map(({ at }) => at + when.settleMinutes * MINUTE_MS));
      }
      return Math.floor((now() - Math.min(now(), ...due)) / 1000);
    },
    /** Has a message that is not sent yet sent at the next run; false where no message that can be sent has this id. */
    async send(id: string) {
      for (const { outbox } of places) {
        const open = (await outbox.deliveries()).find((delivery) => delivery.id === id);
        if (open?.aside === 'rests') await outbox.retry(open, 'again');
        else if (open) await outbox.update({ ...open, notBefore: now() });
        if (open) return true;
      }
      return false;
    },
    /** Has a message sent once more; false where none of this id was sent in the last 30 days. */
    async repeat(id: string) {
      for (const { outbox } of places) if (await outbox.repeat(id)) return true;
      return false;
    },
    /** Drops a message for good; false where none has this id. */
    async drop(id: string) {
      for (const { outbox } of [...places, ...(await orphans())]) {
        const open = (await outbox.deliveries()).find((delivery) => delivery.id === id);
        if (open) await outbox.finish(open);
        if (open) return true;
      }
      return false;
    },
    /**
     * Hands the events that a channel waits for, and those of its messages, to a channel of the settings.
     * @returns the number of events; null where the settings have no such channel
     */
    async move(from: Place, to: Place) {
      const target = places.find((each) => nameOf(each) === nameOf(to));
      const source = [...places, ...(await orphans())].find((each) => nameOf(each) === nameOf(from));
      if (!target || target === source) return null;
      return source ? moveEvents(source.outbox, target.outbox, now()) : 0;
    },
  };
}

const nameOf = ({ subscription, channel }: Place): string => `${subscription}/${channel}`;

function shownDelivery(delivery: Delivery, place: Place, orphaned = false): KeptMessage {
  const { id, content, begun, attempts, notBefore, failed } = delivery;
  const reason = failed?.reason ?? null;
  return { id, ...place, state: stateOf(delivery), content, begun, attempts, notBefore, reason, orphaned };
}

async function moveEvents(source: Outbox, target: Outbox, at: number): Promise<number> {
  const waiting = await source.waiting();
  for (const { event, at: taken } of waiting) await target.add(event, taken);
  // A delivery of what waits takes the events along when it is finished.
  const ids = waiting.map(({ event }) => event.id);
  if (ids.length > 0) await source.begin({ kind: 'events', events: ids }, at);
  const moved = new Set(ids);
  for (const delivery of await source.deliveries()) {
    for (const event of await source.events(delivery)) {
      await target.add(event, at);
      moved.add(event.id);
    }
    if (delivery.content.kind === 'alarm') await target.begin(delivery.content, at);
    await source.finish(delivery);
  }
  return moved.size;
}

/** What the outboxes in a store tried and did not send, the oldest first, and what they sent, the newest first. Writes nothing. */
export async function messagesIn(
  store: ItemStore,
): Promise<{ readonly unsent: readonly KeptMessage[]; readonly sent: readonly ListedSent[] }> {
  const unsent: KeptMessage[] = [];
  const sent: ListedSent[] = [];
  for (const place of await registeredPlaces(store)) {
    const kept = await itemsOfOutbox(store, place);
    sent.push(...kept.sent.map((each) => ({ ...place, ...each })));
    // What waits was not tried yet.
    const tried = kept.open.filter((delivery) => stateOf(delivery) !== 'waiting');
    unsent.push(...tried.map((delivery) => shownDelivery(delivery, place)));
  }
  return {
    unsent: unsent.sort((one, other) => one.begun - other.begun),
    sent: sent.sort((one, other) => other.at - one.at),
  };
}

/** The partition with the name of each recipient that ever got an outbox. */
const REGISTER = 'notify#recipients';

/** The places that ever got an outbox, also those that the settings no longer name. */
const registeredPlaces = async (store: ItemStore): Promise<readonly Place[]> =>
  (await store.list(REGISTER)).map(({ id }) => {
    const [subscription = '', ...channel] = id.split('#');
    return { subscription, channel: channel.join('#') };
  });

const registerKey = ({ subscription, channel }: Place): string => `${subscription}#${channel}`;

/** The register of the recipients in a store. */
function createRegister(recipients: readonly Recipient[], { store, now, log }: LoggedPlace) {
  const names = new Set(recipients.map(({ place }) => registerKey(place)));
  let noted = false;
  let reported = false;

  /** Recipients that were renamed, replaced or left out while messages waited for them. */
  async function orphans() {
    const found: (Place & { readonly outbox: Outbox })[] = [];
    for (const place of await registeredPlaces(store)) {
      if (names.has(registerKey(place))) continue;
      const outbox = createOutbox(store, { ...place, now });
      const left = [await outbox.waiting(), await outbox.deliveries()].flat().length;
      if (left > 0) found.push({ ...place, outbox });
      else if ((await outbox.sent()).length === 0) await store.remove(REGISTER, registerKey(place));
    }
    return found;
  }

  /** Notes the recipients of the settings before anything is kept for them; once a process. */
  async function note(): Promise<void> {
    if (noted) return;
    for (const name of names) await store.create({ partition: REGISTER, id: name, value: null });
    noted = true;
  }

  /** Notes the recipients, and logs those that the settings no longer have; once a process. */
  async function report(): Promise<void> {
    if (reported) return;
    await note();
    for (const { subscription, channel } of await orphans()) {
      log.warn(
        'Messages wait for a channel that the settings no longer have. "messages list" shows them; "messages move" hands them to another channel, "messages drop" drops them',
        { subscription, channel },
      );
    }
    reported = true;
  }

  return { orphans, note, report };
}

const requestSchema = z.lazy(() =>
  z.discriminatedUnion('verb', [
    z.object({ verb: z.literal('list') }),
    z.object({ verb: z.literal('sent') }),
    z.object({ verb: z.literal('send'), id: z.string() }),
    z.object({ verb: z.literal('drop'), id: z.string() }),
    z.object({ verb: z.literal('move'), from: placeSchema, to: placeSchema }),
  ]),
);
export type MessagesRequest = z.output<typeof requestSchema>;

/** The answer to a request: a list, or what became of the change. */
export const messagesAnswerSchema = z.lazy(() =>
  z.object({
    messages: z.array(keptSchema).readonly().exactOptional(),
    sent: z.array(listedSentSchema).readonly().exactOptional(),
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
      return { found: true, messages: await kept.list() };
    case 'sent':
      return { found: true, sent: await kept.sent() };
    case 'send':
      return { found: (await kept.send(request.id)) || (await kept.repeat(request.id)) };
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
