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
  outboxValues,
  type SentMessage,
  type Waiting,
} from './delivery.ts';

/** What one channel of one subscription is still to get, and what it got. Times in milliseconds since the epoch. */
export interface Outbox {
  /** Takes an event in, unless it was taken in before. */
  add(event: PanelEvent, at: number): Promise<void>;
  /** Keeps a change of rating outside the filter for two days, in case it reverts one that waits. */
  keepRating(event: PanelEvent): Promise<void>;
  keptRatings(): Promise<readonly PanelEvent[]>;
  /** The events that are part of no delivery yet. */
  waiting(): Promise<readonly Waiting[]>;
  /** The deliveries that are begun and not finished, also those that are set aside. Completes what a run that was cut off left half done. */
  deliveries(): Promise<readonly Delivery[]>;
  /** Begins a delivery; its events no longer wait. Nothing happens where it was begun or sent before. */
  begin(content: DeliveryContent, at: number): Promise<void>;
  events(delivery: Delivery): Promise<readonly PanelEvent[]>;
  /** Stores a delivery whose attempt begins, or failed. */
  update(delivery: Delivery): Promise<void>;
  /** Ends a delivery that was sent, with what is kept of it; or one that has nothing to send, or that a person drops. */
  finish(delivery: Delivery, sent?: Pick<SentMessage, 'headline' | 'answer'>): Promise<void>;
  /** Sets a delivery aside that failed for a day. It is kept until it is sent, or a person drops it. */
  setAside(delivery: Delivery): Promise<void>;
  /** Begins a delivery that was set aside anew; `probed`: by one attempt. */
  retry(delivery: Delivery, aside: 'again' | 'probed'): Promise<void>;
  /** What was sent in the last 30 days, the newest first. */
  sent(): Promise<readonly SentMessage[]>;
  /** Begins what was sent before once more; false where nothing of this id was sent in the last 30 days. */
  repeat(id: string): Promise<boolean>;
  /** The last change of an alarm that was taken in; null where there was none. */
  lastAlarm(alarm: AlarmName): Promise<Pick<AlarmChange, 'state' | 'at'> | null>;
  saveAlarm(change: AlarmChange): Promise<void>;
  /** The end of the last digest's period; null before the first one. */
  lastDigest(): Promise<number | null>;
  saveLastDigest(at: number): Promise<void>;
  /** When the last messages were begun: as they were saved. */
  recentlyBegun(): Promise<readonly number[]>;
  saveRecentlyBegun(at: readonly number[]): Promise<void>;
  /** Reserves the outbox until a time, so that only `holder` sends; false where another holder has it. */
  lease(holder: string, until: number): Promise<boolean>;
  release(holder: string): Promise<void>;
  /** The most panels of a catalogue, by the `source` of its events, that one run made messages about, bursts left out; 0 before the first. */
  usualPanels(source: string): Promise<number>;
  /** Keeps a number that is larger than the one kept, for all subscriptions. */
  saveUsualPanels(source: string, panels: number): Promise<void>;
}

type AlarmName = Pick<AlarmChange, 'alarm' | 'catalogue'>;

interface OutboxOptions {
  readonly subscription: string;
  /** As `channelId` names it. */
  readonly channel: string;
  readonly now: () => number;
}

/** The partition of a channel of a subscription. */
export const outboxPartition = ({ subscription, channel }: Omit<OutboxOptions, 'now'>): string =>
  `notify#${subscription}#${channel}`;
/** The partition of what was taken in and what was sent. */
export const marksOf = (partition: string): string => `${partition}#marks`;

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

/** What of the store a channel of a subscription uses. */
interface OutboxPlace {
  readonly store: ItemStore;
  readonly partition: string;
  readonly marks: string;
  readonly now: () => number;
  readonly note: (id: string, value: unknown) => Promise<void>;
  readonly expiring: (days: number) => { readonly expires: number };
}

/** The outbox of one subscription and channel in a store that holds all of them. */
export function createOutbox(store: ItemStore, { now, ...named }: OutboxOptions): Outbox {
  const partition = outboxPartition(named);
  const place: OutboxPlace = {
    ...{ store, partition, marks: marksOf(partition), now },
    note: (id, value) => store.put({ partition, id, value }),
    expiring: (days) => ({ expires: Math.floor(now() / 1000) + days * DAY_SECONDS }),
  };
  const events = createDeliveryEvents(place);
  return { ...createTaking(place, events), ...createDeliveries(place, events), ...createNotes(place) };
}

const waitingIn = (item: KeptItem): Waiting => itemValue(item, outboxValues.waiting);

/** The events that wait, and those of each delivery. */
function createDeliveryEvents({ store, partition, marks, note, expiring }: OutboxPlace) {
  const all = async (prefix = eventKey('')): Promise<readonly Waiting[]> =>
    (await store.list(partition, prefix)).map(waitingIn);
  const waiting = async (): Promise<readonly Waiting[]> =>
    (await all()).filter(({ delivery }) => delivery === undefined);
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
    const mark = await store.get(marks, key);
    return mark !== null && mark.value !== null && waitingIn(mark).delivery !== id;
  }

  /** The mark of an event must be there before the event goes: the queue may deliver it again. */
  async function removeEvents(ids: readonly string[]): Promise<void> {
    await inGroups(AT_ONCE, ids, (id) =>
      store.create({ partition: marks, id: eventKey(id), ...expiring(REMEMBERED_DAYS), value: null }),
    );
    await store.remove(partition, ...ids.map(eventKey));
  }

  /** Removes a delivery that ended, with its events; `copies` keeps those, so that it can be sent again. */
  async function clear(delivery: Delivery, copies: boolean): Promise<void> {
    const { content, id } = delivery;
    const own = await eventsOf(delivery);
    const ids = own.map(({ event }) => event.id);
    if (copies)
      await inGroups(AT_ONCE, own, ({ at, event }) =>
        store.put({
          ...{ partition: marks, id: eventKey(event.id), ...expiring(REMEMBERED_DAYS) },
          value: { at, event, delivery: id } satisfies Waiting,
        }),
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
function createTaking(
  { store, partition, marks, expiring }: OutboxPlace,
  { waiting }: DeliveryEvents,
): Pick<Outbox, 'add' | 'keepRating' | 'keptRatings' | 'waiting'> {
  const ratings = `${partition}#ratings`;
  return {
    async add(event, at) {
      const mark = { partition: marks, id: eventKey(event.id), ...expiring(REMEMBERED_DAYS), value: null };
      if (await store.get(marks, mark.id)) return;
      await store.create({ partition, id: eventKey(event.id), value: { at, event } satisfies Waiting });
      await store.create(mark);
    },
    async keepRating(event) {
      await store.create({ partition: ratings, id: event.id, ...expiring(RATING_DAYS), value: event });
    },
    keptRatings: async () => (await store.list(ratings)).map((item) => itemValue(item, outboxValues.event)),
    waiting,
  };
}

/** What is sent, and what was. */
function createDeliveries(
  { store, partition, marks, now, note, expiring }: OutboxPlace,
  { eventsOf, assign, removeEvents, clear }: DeliveryEvents,
): Pick<
  Outbox,
  'deliveries' | 'begin' | 'events' | 'update' | 'finish' | 'setAside' | 'retry' | 'sent' | 'repeat'
> {
  return {
    async deliveries() {
      const open: Delivery[] = [];
      for (const item of await store.list(partition, openKey(''))) {
        const delivery = itemValue(item, outboxValues.delivery);
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
    async begin(content, at) {
      const id = deliveryId(partition, content);
      if (await store.get(marks, sentKey(id))) {
        if (content.kind === 'events') await removeEvents(content.events);
        return;
      }
      const delivery: Delivery = { id, content, begun: at, attempts: 0, notBefore: at, trying: false };
      if (await store.create({ partition, id: openKey(id), value: delivery })) await assign(delivery);
    },
    events: async (delivery) => (await eventsOf(delivery)).map(({ event }) => event),
    update: (delivery) => replaceItem(store, { partition, id: openKey(delivery.id) }, () => delivery),
    async finish(delivery, sent) {
      const { id, content, begun } = delivery;
      const value = sent ? ({ id, content, begun, at: now(), ...sent } satisfies SentMessage) : null;
      // First of all: until it is there, a run that ends gives a second copy.
      await store.put({ partition: marks, id: sentKey(id), ...expiring(REMEMBERED_DAYS), value });
      await clear(delivery, sent !== undefined);
    },
    async setAside(delivery) {
      const { id } = delivery;
      const own = await eventsOf(delivery);
      await inGroups(AT_ONCE, own, (value) => note(asideKey(id, value.event.id), value));
      await note(openKey(id), { ...delivery, aside: 'rests' } satisfies Delivery);
      await removeEvents(own.map(({ event }) => event.id));
    },
    retry: (delivery, aside) =>
      note(openKey(delivery.id), {
        ...delivery,
        ...{ aside, begun: now(), attempts: 0, notBefore: now() },
      } satisfies Delivery),
    async sent() {
      const items = (await store.list(marks, sentKey(''))).filter(({ value }) => value !== null);
      return items.map((item) => itemValue(item, outboxValues.sent)).sort((one, other) => other.at - one.at);
    },
    async repeat(id) {
      const mark = await store.get(marks, sentKey(id));
      if (!mark?.value) return false;
      const { content, begun } = itemValue(mark, outboxValues.sent);
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
function createNotes({
  store,
  partition,
  now,
  note,
}: OutboxPlace): Omit<
  Outbox,
  keyof ReturnType<typeof createTaking> | keyof ReturnType<typeof createDeliveries>
> {
  const noted = async <Value>(id: string, parse: (item: KeptItem) => Value): Promise<Value | null> => {
    const item = await store.get(partition, id);
    return item && parse(item);
  };
  return {
    lastAlarm: (alarm) => noted(alarmKey(alarm), (item) => itemValue(item, outboxValues.alarm)),
    saveAlarm: (change) => note(alarmKey(change), { state: change.state, at: change.at }),
    lastDigest: () => noted('digest', (item) => itemValue(item, outboxValues.digest).at),
    saveLastDigest: (at) => note('digest', { at }),
    recentlyBegun: async () =>
      (await noted('recent', (item) => itemValue(item, outboxValues.recent).at)) ?? [],
    saveRecentlyBegun: (at) => note('recent', { at }),
    async lease(holder, until) {
      const value = { holder, until };
      if (await store.create({ partition, id: 'lease', value })) return true;
      const item = await store.get(partition, 'lease');
      if (!item) return false;
      const held = itemValue(item, outboxValues.lease);
      if (held.until > now() && held.holder !== holder) return false;
      return store.replace({ ...item, value });
    },
    async release(holder) {
      const held = await noted('lease', (item) => itemValue(item, outboxValues.lease));
      if (held?.holder === holder) await store.remove(partition, 'lease');
    },
    async usualPanels(source) {
      const item = await store.get(USUAL, source);
      return item ? itemValue(item, outboxValues.usual).panels : 0;
    },
    async saveUsualPanels(source, panels) {
      const item = { partition: USUAL, id: source, value: { panels } };
      while (!(await store.create(item))) {
        const kept = await store.get(USUAL, source);
        if (!kept) continue;
        if (itemValue(kept, outboxValues.usual).panels >= panels) return;
        if (await store.replace({ ...kept, value: item.value })) return;
      }
    },
  };
}
