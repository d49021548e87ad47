import type { ChannelMemory } from '../channels/channel.ts';
import { type Channel, channelId } from '../channels/channel-settings.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { DAY_SECONDS } from '../run/clock.ts';
import { inGroups } from '../run/in-groups.ts';
import { type ItemStore, type KeptItem, replaceItem } from '../store/items.ts';
import type { AlarmChange } from '../words/notice-of-alarm.ts';
import {
  type Delivery,
  type DeliveryContent,
  deliveryId,
  itemValue,
  type SentMessage,
  type Waiting,
} from './delivery.ts';
import { type NotifyPlan, OPERATIONS, type Subscription } from './subscription.ts';

/** A subscription and one of its channels, as `channelId` names it: `slack:lab`. */
export interface Place {
  readonly subscription: string;
  readonly channel: string;
}

/** Where what is kept lies; the time in milliseconds since the epoch. */
export interface KeptPlace {
  readonly store: ItemStore;
  readonly now: () => number;
}

type AlarmName = Pick<AlarmChange, 'alarm' | 'catalogue'>;

/** The partition of a channel of a subscription. */
const outboxPartition = ({ subscription, channel }: Place): string => `notify#${subscription}#${channel}`;
/** The partition of what was taken in and what was sent. */
const marksOf = (partition: string): string => `${partition}#marks`;

/** Days for which events and deliveries are remembered, so that none is sent twice and any can be sent again. */
const REMEMBERED_DAYS = 30;
/** Days for which a rating outside the filter may revert one that waits. */
const RATING_DAYS = 2;
/** The most writes at the same time: more would exceed the smallest capacity of a table. */
const AT_ONCE = 25;
const USUAL = 'notify#catalogues';

const eventKey = (id: string): string => `event#${id}`;
const openKey = (id: string): string => `open#${id}`;
const asideKey = (delivery: string, event = ''): string => `aside#${delivery}#${event}`;
const sentKey = (id: string): string => `sent#${id}`;
const alarmKey = ({ alarm, catalogue }: AlarmName): string => `alarm#${catalogue ?? ''}#${alarm}`;

/** What one channel of one subscription is still to get, and what it got. Times in milliseconds since the epoch. */
export type Outbox = ReturnType<typeof createOutbox>;

/** The outbox of one subscription and channel in a store that holds all of them. */
export function createOutbox(store: ItemStore, { now, ...named }: Place & Pick<KeptPlace, 'now'>) {
  const partition = outboxPartition(named);
  const marks = marksOf(partition);
  const expiring = (days: number) => ({ expires: Math.floor(now() / 1000) + days * DAY_SECONDS });
  const place = {
    ...{ store, partition, marks, now, expiring },
    note: (id: string, value: unknown) => store.put({ partition, id, value }),
    /** What is remembered of an event or a delivery. */
    mark: (id: string, value: Waiting | SentMessage | null = null) => ({
      ...{ partition: marks, id, value, ...expiring(REMEMBERED_DAYS) },
    }),
  };
  const events = createDeliveryEvents(place);
  return { ...createTaking(place, events), ...createDeliveries(place, events), ...createNotes(place) };
}

/** What of the store a channel of a subscription uses. */
interface OutboxPlace extends KeptPlace {
  readonly partition: string;
  readonly marks: string;
  readonly note: (id: string, value: unknown) => Promise<void>;
  readonly mark: (id: string, value?: Waiting | SentMessage | null) => Parameters<ItemStore['create']>[0];
  readonly expiring: (days: number) => { readonly expires: number };
}

const waitingIn = (item: KeptItem): Waiting => itemValue(item, 'waiting');

/** The events that wait, and those of each delivery. */
function createDeliveryEvents({ store, partition, marks, note, mark }: OutboxPlace) {
  const all = async (prefix = eventKey('')): Promise<readonly Waiting[]> =>
    (await store.list(partition, prefix)).map(waitingIn);
  const waiting = async () => (await all()).filter(({ delivery }) => delivery === undefined);
  const named = async (ids: readonly string[]): Promise<readonly Waiting[]> => {
    const items = await Promise.all(ids.map((id) => store.get(partition, eventKey(id))));
    return items.filter((item) => item !== null).map(waitingIn);
  };

  /** The stored events of a delivery. */
  async function eventsOf({ id, content, aside }: Delivery): Promise<readonly Waiting[]> {
    if (content.kind === 'alarm') return [];
    const listed = content.kind === 'digest' ? await all() : await named(content.events);
    const own = listed.filter(({ delivery }) => delivery === id);
    const apart = aside === undefined ? [] : await all(asideKey(id));
    return [...new Map([...own, ...apart].map((each) => [each.event.id, each])).values()];
  }

  /** Adds to a delivery the events that it is to have and does not have yet. */
  async function assign({ id, content }: Delivery): Promise<void> {
    if (content.kind === 'alarm') return;
    const until = content.kind === 'digest' ? Date.parse(content.period.until) : 0;
    const missing =
      content.kind === 'digest'
        ? (await waiting()).filter(({ at }) => at < until)
        : (await named(content.events)).filter(({ delivery }) => delivery === undefined);
    await inGroups(AT_ONCE, missing, async (each) => {
      const key = eventKey(each.event.id);
      if (await wentOut(key, id)) return store.remove(partition, key);
      return note(key, { ...each, delivery: id } satisfies Waiting);
    });
  }

  /** Whether another delivery sent an event: who took it in a second time may have been slower than that. */
  async function wentOut(key: string, id: string): Promise<boolean> {
    const known = await store.get(marks, key);
    return known !== null && known.value !== null && waitingIn(known).delivery !== id;
  }

  /** The mark of an event must be there before the event goes: the queue may deliver it again. */
  async function removeEvents(ids: readonly string[]): Promise<void> {
    await inGroups(AT_ONCE, ids, (id) => store.create(mark(eventKey(id))));
    await store.remove(partition, ...ids.map(eventKey));
  }

  /** Removes a delivery that ended, with its events; `copies` keeps those, so that it can be sent again. */
  async function clear(delivery: Delivery, copies: boolean): Promise<void> {
    const { content, id } = delivery;
    const own = await eventsOf(delivery);
    const ids = own.map(({ event }) => event.id);
    if (copies)
      await inGroups(AT_ONCE, own, ({ at, event }) =>
        store.put(mark(eventKey(event.id), { at, event, delivery: id })),
      );
    const ended = content.kind === 'events' ? content.events : ids;
    await (copies ? store.remove(partition, ...ended.map(eventKey)) : removeEvents(ended));
    if (delivery.aside !== undefined) await store.remove(partition, ...ids.map((each) => asideKey(id, each)));
    await store.remove(partition, openKey(id));
  }

  return { waiting, eventsOf, assign, removeEvents, clear };
}

type DeliveryEvents = ReturnType<typeof createDeliveryEvents>;

/** What is taken in. */
function createTaking({ store, partition, marks, mark, expiring }: OutboxPlace, { waiting }: DeliveryEvents) {
  const ratings = `${partition}#ratings`;
  return {
    /** Takes an event in, unless it was taken in before. */
    async add(event: PanelEvent, at: number): Promise<void> {
      const id = eventKey(event.id);
      if (await store.get(marks, id)) return;
      await store.create({ partition, id, value: { at, event } satisfies Waiting });
      await store.create(mark(id));
    },
    /** Keeps a change of rating outside the filter for two days, in case it reverts one that waits. */
    async keepRating(event: PanelEvent): Promise<void> {
      await store.create({ partition: ratings, id: event.id, ...expiring(RATING_DAYS), value: event });
    },
    keptRatings: async () => (await store.list(ratings)).map((item) => itemValue(item, 'event')),
    /** The events that are part of no delivery yet. */
    waiting,
  };
}

/** What is sent, and what was. */
function createDeliveries(
  { store, partition, marks, now, note, mark }: OutboxPlace,
  { eventsOf, assign, removeEvents, clear }: DeliveryEvents,
) {
  return {
    /** The deliveries that are begun and not finished, also those that are set aside. Completes what a run that was cut off left half done. */
    async deliveries(): Promise<readonly Delivery[]> {
      const open: Delivery[] = [];
      for (const item of await store.list(partition, openKey(''))) {
        const delivery = itemValue(item, 'delivery');
        // A run ended within `finish`.
        const sent = await store.get(marks, sentKey(delivery.id));
        if (sent) {
          await clear(delivery, sent.value !== null);
          continue;
        }
        // A run may have ended within `begin`; what was tried keeps its events.
        if (delivery.attempts === 0 && !delivery.trying && delivery.aside === undefined)
          await assign(delivery);
        open.push(delivery);
      }
      return open.sort((one, other) => one.begun - other.begun);
    },
    /** Begins a delivery; its events no longer wait. Nothing happens where it was begun or sent before. */
    async begin(content: DeliveryContent, at: number): Promise<void> {
      const id = deliveryId(partition, content);
      if (await store.get(marks, sentKey(id))) {
        if (content.kind === 'events') await removeEvents(content.events);
        return;
      }
      const delivery: Delivery = { id, content, begun: at, attempts: 0, notBefore: at, trying: false };
      if (await store.create({ partition, id: openKey(id), value: delivery })) await assign(delivery);
    },
    events: async (delivery: Delivery) => (await eventsOf(delivery)).map(({ event }) => event),
    /** Stores a delivery whose attempt begins, or failed. */
    update: (delivery: Delivery) =>
      replaceItem(store, { partition, id: openKey(delivery.id) }, () => delivery),
    /** Ends a delivery that was sent, with what is kept of it; or one that has nothing to send, or that a person drops. */
    async finish(delivery: Delivery, sent?: Pick<SentMessage, 'headline' | 'answer'>): Promise<void> {
      const { id, content, begun } = delivery;
      // First of all: until it is there, a run that ends gives a second copy.
      await store.put(mark(sentKey(id), sent ? { id, content, begun, at: now(), ...sent } : null));
      await clear(delivery, sent !== undefined);
    },
    /** Sets a delivery aside that failed for a day. It is kept until it is sent, or a person drops it. */
    async setAside(delivery: Delivery): Promise<void> {
      const { id } = delivery;
      const own = await eventsOf(delivery);
      await inGroups(AT_ONCE, own, (value) => note(asideKey(id, value.event.id), value));
      await note(openKey(id), { ...delivery, aside: 'rests' } satisfies Delivery);
      await removeEvents(own.map(({ event }) => event.id));
    },
    /** Begins a delivery that was set aside anew; `probed`: by one attempt. */
    retry: (delivery: Delivery, aside: 'again' | 'probed') =>
      note(openKey(delivery.id), {
        ...delivery,
        ...{ aside, begun: now(), attempts: 0, notBefore: now() },
      } satisfies Delivery),
    /** What was sent in the last 30 days, the newest first. */
    async sent(): Promise<readonly SentMessage[]> {
      const items = (await store.list(marks, sentKey(''))).filter(({ value }) => value !== null);
      return items.map((item) => itemValue(item, 'sent')).sort((one, other) => other.at - one.at);
    },
    /** Begins what was sent before once more; false where nothing of this id was sent in the last 30 days. */
    async repeat(id: string): Promise<boolean> {
      const known = await store.get(marks, sentKey(id));
      if (!known?.value) return false;
      const { content, begun } = itemValue(known, 'sent');
      const own = (await store.list(marks, eventKey('')))
        .filter(({ value }) => value !== null)
        .map(waitingIn)
        .filter(({ delivery }) => delivery === id);
      const delivery: Delivery = {
        ...{ id, content, begun, attempts: 0, notBefore: now(), trying: false },
        ...{ aside: 'again', repeated: now() },
      };
      // Until the mark is gone, it counts as sent.
      await inGroups(AT_ONCE, own, (value) => note(asideKey(id, value.event.id), value));
      await note(openKey(id), delivery);
      await store.remove(marks, sentKey(id));
      return true;
    },
  };
}

/** What is noted between two runs: the last alarms, the last digest, who sends, and how much is usual. */
function createNotes({ store, partition, now, note }: OutboxPlace) {
  const noted = async <Kind extends Parameters<typeof itemValue>[1]>(id: string, kind: Kind) => {
    const item = await store.get(partition, id);
    return item && itemValue(item, kind);
  };
  return {
    /** The last change of an alarm that was taken in; null where there was none. */
    lastAlarm: (alarm: AlarmName) => noted(alarmKey(alarm), 'alarm'),
    saveAlarm: (change: AlarmChange) => note(alarmKey(change), { state: change.state, at: change.at }),
    /** The end of the last digest's period; null before the first one. */
    lastDigest: async () => (await noted('digest', 'digest'))?.at ?? null,
    saveLastDigest: (at: number) => note('digest', { at }),
    /** When the last messages were begun: as they were saved. */
    recentlyBegun: async () => (await noted('recent', 'recent'))?.at ?? [],
    saveRecentlyBegun: (at: readonly number[]) => note('recent', { at }),
    /** Reserves the outbox until a time, so that only `holder` sends; false where another holder has it. */
    async lease(holder: string, until: number): Promise<boolean> {
      const value = { holder, until };
      if (await store.create({ partition, id: 'lease', value })) return true;
      const item = await store.get(partition, 'lease');
      if (!item) return false;
      const held = itemValue(item, 'lease');
      if (held.until > now() && held.holder !== holder) return false;
      return store.replace({ ...item, value });
    },
    async release(holder: string): Promise<void> {
      if ((await noted('lease', 'lease'))?.holder === holder) await store.remove(partition, 'lease');
    },
    /** The most panels of a catalogue, by the `source` of its events, that one run made messages about, bursts left out; 0 before the first. */
    async usualPanels(source: string): Promise<number> {
      const item = await store.get(USUAL, source);
      return item ? itemValue(item, 'usual').panels : 0;
    },
    /** Keeps a number that is larger than the one kept, for all subscriptions. */
    async saveUsualPanels(source: string, panels: number): Promise<void> {
      const item = { partition: USUAL, id: source, value: { panels } };
      while (!(await store.create(item))) {
        const kept = await store.get(USUAL, source);
        if (!kept) continue;
        if (itemValue(kept, 'usual').panels >= panels) return;
        if (await store.replace({ ...kept, value: item.value })) return;
      }
    },
  };
}

/** One channel of one subscription, with the outbox of its messages. */
export interface Recipient {
  readonly subscription: Subscription;
  readonly channel: Channel;
  readonly place: Place;
  readonly outbox: Outbox;
  readonly memory: ChannelMemory;
}

/** The channels of a subscription, each with its outbox. */
export const recipientsOf = (subscription: Subscription, kept: KeptPlace): readonly Recipient[] =>
  subscription.channels.map((channel) => {
    const place = { subscription: subscription.name, channel: channelId(channel) };
    const outbox = createOutbox(kept.store, { ...place, now: kept.now });
    return { subscription, channel, place, outbox, memory: channelMemory(kept, place) };
  });

/** What one channel of one subscription remembers, in the store of the outbox. */
export function channelMemory({ store, now }: KeptPlace, place: Place): ChannelMemory {
  const partition = outboxPartition(place);
  return {
    get: async (key) => (await store.get(partition, key))?.value,
    async set(key, value, { days } = {}) {
      const expires = days === undefined ? {} : { expires: Math.floor(now() / 1000) + days * DAY_SECONDS };
      await store.put({ partition, id: key, value, ...expires });
    },
  };
}

/** The subscription of those who run the notifier: to its alarms. */
export const operationsOf = ({ operations }: Pick<NotifyPlan, 'operations'>): Subscription => ({
  ...{ name: OPERATIONS, filter: {}, when: { kind: 'at-once', settleMinutes: 0 } },
  ...operations,
});

/** What an outbox has of the messages that their receivers took, and of those that are begun; also where the settings no longer name it. */
export async function itemsOfOutbox(store: ItemStore, place: Place) {
  const partition = outboxPartition(place);
  const marks = await store.list(marksOf(partition), sentKey(''));
  const isSent = new Set(marks.map(({ id }) => id));
  const begun = (await store.list(partition, openKey(''))).map((item) => itemValue(item, 'delivery'));
  return {
    sent: marks.flatMap((item) => (item.value === null ? [] : itemValue(item, 'sent'))),
    // A run may have ended before it deleted the item of what it sent.
    open: begun.filter(({ id }) => !isSent.has(sentKey(id))),
  };
}
