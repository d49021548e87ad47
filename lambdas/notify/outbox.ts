import type { PanelEvent } from '../events/schemas.ts';
import { type ItemStore, type KeptItem, replaceItem } from '../store/items.ts';
import type { AlarmChange } from '../words/alarm.ts';
import {
  type Delivery,
  type DeliveryContent,
  deliveryId,
  itemValue,
  outboxValues,
  type Waiting,
} from './delivery.ts';

/** What one channel of one subscription is still to get, and what it got. Times in milliseconds since the epoch. */
export interface Outbox extends OutboxNotes {
  /** Takes an event in, unless it was taken in before. */
  add(event: PanelEvent, at: number): Promise<void>;
  /** Keeps a change of rating outside the filter for two days, in case it reverts one that waits. */
  keepRating(event: PanelEvent): Promise<void>;
  keptRatings(): Promise<readonly PanelEvent[]>;
  waiting(): Promise<readonly Waiting[]>;
  /** The deliveries that are begun and not finished. Completes what a run that was cut off left half done. */
  deliveries(): Promise<readonly Delivery[]>;
  /** Begins a delivery; its events no longer wait. Nothing happens where it was begun or sent before. */
  begin(content: DeliveryContent, at: number): Promise<void>;
  events(delivery: Pick<Delivery, 'id' | 'content'>): Promise<readonly PanelEvent[]>;
  /** Stores a delivery whose attempt begins, or failed. */
  update(delivery: Delivery): Promise<void>;
  /** Ends a delivery that was sent, or that has nothing to send. */
  finish(delivery: Pick<Delivery, 'id' | 'content'>): Promise<void>;
  /** Sets a delivery aside that failed for a day. It is kept until it is sent, or a person drops it. */
  setAside(delivery: Delivery): Promise<void>;
  /** The deliveries that are set aside, oldest first. */
  aside(): Promise<readonly Delivery[]>;
  /** Begins a delivery that was set aside anew; false where there is none of this id. */
  retry(id: string, options: { readonly at: number; readonly probing: boolean }): Promise<boolean>;
  /** Drops a delivery with its events, set aside or not; false where there is none of this id. */
  drop(id: string): Promise<boolean>;
  readonly usualPanels: UsualPanels;
}

interface OutboxOptions {
  readonly subscription: string;
  /** As `channelId` names it. */
  readonly channel: string;
  readonly now: () => number;
}

/** The outbox of one subscription and channel in a store that holds all of them. */
export function createOutbox(store: ItemStore, { subscription, channel, now }: OutboxOptions): Outbox {
  const partition = `notify#${subscription}#${channel}`;
  const ratings = `${partition}#ratings`;
  const marks = createMarks(store, partition, now);
  const held = createDeliveryEvents(store, partition, marks);
  const clear = async (delivery: Pick<Delivery, 'id' | 'content'>): Promise<void> => {
    await held.removeOf(delivery);
    await store.remove(partition, `open#${delivery.id}`);
  };
  const finish = async (delivery: Pick<Delivery, 'id' | 'content'>): Promise<void> => {
    await marks.set(`sent#${delivery.id}`);
    await clear(delivery);
  };
  const apart = failedDeliveries(store, partition);

  /** Moves a delivery that is set aside back to those that are open. */
  async function reopen({ delivery, events }: SetAside, change: Partial<Delivery>): Promise<void> {
    await inGroups(events, async (each) => {
      await store.create({
        partition,
        id: `event#${each.event.id}`,
        value: { ...each, delivery: delivery.id },
      });
    });
    await store.create({ partition, id: `open#${delivery.id}`, value: { ...delivery, ...change } });
    await apart.remove(delivery.id);
  }

  return {
    async add(event, at) {
      if (await marks.has(`event#${event.id}`)) return;
      await store.create({ partition, id: `event#${event.id}`, value: { at, event } satisfies Waiting });
      await marks.set(`event#${event.id}`);
    },
    async keepRating(event) {
      const expires = Math.floor(now() / 1000) + 2 * 86_400;
      await store.create({ partition: ratings, id: event.id, expires, value: event });
    },
    async keptRatings() {
      const items = await store.list(ratings, '');
      return items.map((item) => itemValue(item, outboxValues.event));
    },
    waiting: held.waiting,
    async deliveries() {
      const items = await store.list(partition, 'open#');
      const open: Delivery[] = [];
      for (const item of items) {
        const delivery = itemValue(item, outboxValues.delivery);
        if (await marks.has(`sent#${delivery.id}`)) {
          // A run ended within `finish`.
          await clear(delivery);
          continue;
        }
        // A run may have ended within `begin`; what was tried keeps its events.
        if (delivery.attempts === 0 && !delivery.trying) await held.assign(delivery);
        open.push(delivery);
      }
      return open;
    },
    async begin(content, at) {
      const id = deliveryId(partition, content);
      if (await marks.has(`sent#${id}`)) {
        if (content.kind === 'events') await held.remove(content.events);
        return;
      }
      const delivery: Delivery = { id, content, begun: at, attempts: 0, notBefore: at, trying: false };
      if (await store.create({ partition, id: `open#${id}`, value: delivery })) await held.assign(delivery);
    },
    events: async (delivery) => (await held.of(delivery)).map(({ event }) => event),
    update: (delivery) => replaceItem(store, { partition, id: `open#${delivery.id}` }, () => delivery),
    finish,
    async setAside(delivery) {
      const events = await held.of(delivery);
      await apart.add({ delivery, events });
      await store.remove(partition, `open#${delivery.id}`);
      await held.remove(events.map(({ event }) => event.id));
    },
    aside: () => apart.list(),
    async retry(id, { at, probing }) {
      const kept = await apart.get(id);
      if (!kept) return false;
      if (await marks.has(`sent#${id}`)) {
        // A run ended between sending it and here.
        await apart.remove(id);
        return false;
      }
      const { probing: _probing, ...delivery } = kept.delivery;
      await reopen(
        { ...kept, delivery },
        { begun: at, attempts: 0, notBefore: at, ...(probing && { probing }) },
      );
      return true;
    },
    async drop(id) {
      if (await apart.get(id)) {
        await apart.remove(id);
        return true;
      }
      const item = await store.get(partition, `open#${id}`);
      if (!item) return false;
      await finish(itemValue(item, outboxValues.delivery));
      return true;
    },
    usualPanels: usualPanelsOf(store),
    ...createOutboxNotes(store, partition),
  };
}

/** Days for which events and deliveries are remembered, so that none is sent twice. */
const REMEMBERED_DAYS = 30;

/** What was taken in or sent, by its id. */
interface Marks {
  set(id: string): Promise<unknown>;
  has(id: string): Promise<boolean>;
}

/** Opens the marks of an outbox. */
function createMarks(store: ItemStore, partition: string, now: () => number): Marks {
  const marks = `${partition}#marks`;
  return {
    set: (id) => {
      const expires = Math.floor(now() / 1000) + REMEMBERED_DAYS * 86_400;
      return store.create({ partition: marks, id, expires, value: null });
    },
    has: async (id) => (await store.get(marks, id)) !== null,
  };
}

type Asked = Pick<Delivery, 'id' | 'content'>;

/** The events that an outbox holds: those that wait, and those of deliveries. */
interface DeliveryEvents {
  waiting(): Promise<readonly Waiting[]>;
  /** The stored events of a delivery. */
  of(delivery: Asked): Promise<readonly Waiting[]>;
  /** Assigns the events to a delivery that it is to have and does not have yet. */
  assign(delivery: Asked): Promise<void>;
  /** Removes events, which then count as taken in. */
  remove(ids: readonly string[]): Promise<void>;
  /** Removes the events of a delivery. */
  removeOf(delivery: Asked): Promise<void>;
}

/** Opens the events in a partition of the store. */
function createDeliveryEvents(store: ItemStore, partition: string, marks: Marks): DeliveryEvents {
  const waitingIn = (item: KeptItem): Waiting => itemValue(item, outboxValues.waiting);
  const all = async (): Promise<readonly Waiting[]> => (await store.list(partition, 'event#')).map(waitingIn);
  const waiting = async (): Promise<readonly Waiting[]> =>
    (await all()).filter(({ delivery }) => delivery === undefined);

  const missing = async ({ content }: Asked): Promise<readonly string[]> => {
    if (content.kind === 'alarm') return [];
    if (content.kind === 'events') return content.events;
    const until = Date.parse(content.period.until);
    return (await waiting()).filter(({ at }) => at < until).map(({ event }) => event.id);
  };

  const of = async ({ id, content }: Asked): Promise<readonly Waiting[]> => {
    if (content.kind === 'alarm') return [];
    if (content.kind === 'digest') return (await all()).filter(({ delivery }) => delivery === id);
    const items = await Promise.all(content.events.map((each) => store.get(partition, `event#${each}`)));
    return items
      .filter((item): item is KeptItem => item !== null)
      .map(waitingIn)
      .filter(({ delivery }) => delivery === id);
  };

  /** The mark of an event must be there before the event goes: the queue may deliver it again. */
  const remove = (ids: readonly string[]): Promise<void> =>
    inGroups(ids, async (id) => {
      if (!(await marks.has(`event#${id}`))) await marks.set(`event#${id}`);
      await store.remove(partition, `event#${id}`);
    });

  return {
    waiting,
    of,
    assign: async (delivery) =>
      inGroups(await missing(delivery), (id) =>
        replaceItem(store, { partition, id: `event#${id}` }, (item) => ({
          ...waitingIn(item),
          delivery: delivery.id,
        })),
      ),
    remove,
    removeOf: async (delivery) =>
      remove(
        delivery.content.kind === 'events'
          ? delivery.content.events
          : (await of(delivery)).map(({ event }) => event.id),
      ),
  };
}

/** A delivery that is set aside, with its events. */
interface SetAside {
  readonly delivery: Delivery;
  readonly events: readonly Waiting[];
}

/** The deliveries of one channel that failed for a day. They stay until they are sent or dropped. */
interface Aside {
  add(kept: SetAside): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly Delivery[]>;
  get(id: string): Promise<SetAside | null>;
  remove(id: string): Promise<void>;
}

/**
 * Keeps deliveries in a partition of its own, which no run that sends has to list with its events.
 * @param partition that of the channel's outbox
 */
function failedDeliveries(store: ItemStore, partition: string): Aside {
  const own = `${partition}#aside`;
  const eventsOf = (id: string) => store.list(own, `event#${id}#`);

  async function add({ delivery, events }: SetAside): Promise<void> {
    await inGroups(events, async (each) => {
      await store.create({ partition: own, id: `event#${delivery.id}#${each.event.id}`, value: each });
    });
    await store.put({ partition: own, id: `failed#${delivery.id}`, value: delivery });
  }

  return {
    add,
    async list() {
      const items = await store.list(own, 'failed#');
      return items
        .map((item) => itemValue(item, outboxValues.delivery))
        .sort((one, other) => one.begun - other.begun);
    },
    async get(id) {
      const item = await store.get(own, `failed#${id}`);
      if (!item) return null;
      const events = (await eventsOf(id)).map((each) => itemValue(each, outboxValues.waiting));
      return { delivery: itemValue(item, outboxValues.delivery), events };
    },
    async remove(id) {
      await inGroups(await eventsOf(id), (item) => store.remove(own, item.id));
      await store.remove(own, `failed#${id}`);
    },
  };
}

/** What is noted of one channel of one subscription beside its deliveries. Times in milliseconds since the epoch. */
interface OutboxNotes {
  /** The last change of an alarm that was taken in; null where there was none. */
  lastAlarm(
    alarm: Pick<AlarmChange, 'alarm' | 'catalogue'>,
  ): Promise<Pick<AlarmChange, 'state' | 'at'> | null>;
  saveAlarm(change: AlarmChange): Promise<void>;
  /** The end of the last digest's period; null before the first one. */
  lastDigest(): Promise<number | null>;
  saveLastDigest(at: number): Promise<void>;
  /** When the last messages were begun: as they were saved. */
  recentlyBegun(): Promise<readonly number[]>;
  saveRecentlyBegun(at: readonly number[]): Promise<void>;
  /** Reserves the outbox until a time, so that only `holder` sends; false where another holder has it. */
  lease(holder: string, until: number, now: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** Opens the notes in a partition of the store. */
function createOutboxNotes(store: ItemStore, partition: string): OutboxNotes {
  const read = <Value>(id: string, parse: (item: KeptItem) => Value): Promise<Value | null> =>
    store.get(partition, id).then((item) => (item ? parse(item) : null));
  const save = (id: string, value: unknown): Promise<void> => store.put({ partition, id, value });

  return {
    lastAlarm: (alarm) => read(alarmKey(alarm), (item) => itemValue(item, outboxValues.alarm)),
    saveAlarm: (change) => save(alarmKey(change), { state: change.state, at: change.at }),
    lastDigest: () => read('digest', (item) => itemValue(item, outboxValues.digest).at),
    saveLastDigest: (at) => save('digest', { at }),
    recentlyBegun: async () =>
      (await read('recent', (item) => itemValue(item, outboxValues.recent).at)) ?? [],
    saveRecentlyBegun: (at) => save('recent', { at }),
    async lease(holder, until, at) {
      const value = { holder, until };
      if (await store.create({ partition, id: 'lease', value })) return true;
      const item = await store.get(partition, 'lease');
      if (!item) return false;
      const held = itemValue(item, outboxValues.lease);
      if (held.until > at && held.holder !== holder) return false;
      return store.replace({ ...item, value });
    },
    async release(holder) {
      const held = await read('lease', (item) => itemValue(item, outboxValues.lease));
      if (held?.holder === holder) await store.remove(partition, 'lease');
    },
  };
}

const alarmKey = ({ alarm, catalogue }: Pick<AlarmChange, 'alarm' | 'catalogue'>): string =>
  `alarm#${catalogue ?? ''}#${alarm}`;

/** How many panels of a catalogue change at once, as it was seen so far over all subscriptions. */
interface UsualPanels {
  /** The most panels of a catalogue that one run made messages about, bursts left out; 0 before the first run. */
  of(source: string): Promise<number>;
  /** Keeps a number that is larger than the one kept. */
  save(source: string, panels: number): Promise<void>;
}

/** One item a catalogue, by the `source` of its events. */
const PARTITION = 'notify#catalogues';

/** What is usual, in the store of all outboxes. */
function usualPanelsOf(store: ItemStore): UsualPanels {
  const read = async (id: string) => {
    const item = await store.get(PARTITION, id);
    return item && { ...item, panels: itemValue(item, outboxValues.usual).panels };
  };
  return {
    of: async (source) => (await read(source))?.panels ?? 0,
    async save(source, panels) {
      const item = { partition: PARTITION, id: source, value: { panels } };
      while (!(await store.create(item))) {
        const kept = await read(source);
        if (!kept) continue;
        if (kept.panels >= panels || (await store.replace({ ...item, version: kept.version }))) return;
      }
    },
  };
}

/** The most writes at the same time: more would exceed the smallest capacity of a table. */
const GROUP = 25;

/** Writes each item, a group at a time. */
async function inGroups<Item>(items: readonly Item[], write: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP)
    await Promise.all(items.slice(start, start + GROUP).map(write));
}
