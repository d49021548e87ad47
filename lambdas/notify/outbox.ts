import type { PanelEvent } from '../events/schemas.ts';
import type { AlarmChange } from '../messages/alarm.ts';
import { createAside, type SetAside } from './aside.ts';
import { type Delivery, type DeliveryContent, deliveryId, type Waiting } from './delivery.ts';
import { inGroups } from './in-groups.ts';
import type { OutboxItem, OutboxStore } from './outbox-store.ts';
import { itemValue, outboxValues } from './outbox-values.ts';
import { type UsualPanels, usualPanelsOf } from './usual-panels.ts';

/** What one channel of one subscription is still to get, and what it got. Times in milliseconds since the epoch. */
export interface Outbox {
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
  /** The last change of an alarm that was taken in; null where there was none. */
  lastAlarm(
    alarm: Pick<AlarmChange, 'alarm' | 'catalogue'>,
  ): Promise<Pick<AlarmChange, 'state' | 'at'> | null>;
  saveAlarm(change: AlarmChange): Promise<void>;
  /** The end of the last digest's period, in milliseconds since the epoch; null before the first one. */
  lastDigest(): Promise<number | null>;
  saveLastDigest(at: number): Promise<void>;
  /** When the last messages were begun, in milliseconds since the epoch: as they were saved. */
  recentlyBegun(): Promise<readonly number[]>;
  saveRecentlyBegun(at: readonly number[]): Promise<void>;
  readonly usualPanels: UsualPanels;
  /** Reserves the outbox until a time, so that only `holder` sends; false where another holder has it. */
  lease(holder: string, until: number, now: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** Days for which events and deliveries are remembered, so that none is sent twice. */
const REMEMBERED_DAYS = 30;

interface OutboxOptions {
  readonly subscription: string;
  /** As `channelId` names it. */
  readonly channel: string;
  readonly now: () => number;
}

/** The outbox of one subscription and channel in a store that holds all of them. */
export function createOutbox(store: OutboxStore, { subscription, channel, now }: OutboxOptions): Outbox {
  const partition = `notify#${subscription}#${channel}`;
  const marks = `${partition}#marks`;
  const ratings = `${partition}#ratings`;
  const expires = (): number => Math.floor(now() / 1000) + REMEMBERED_DAYS * 86_400;
  const mark = (id: string): Promise<boolean> =>
    store.create({ partition: marks, id, expires: expires(), value: null });
  const isMarked = async (id: string): Promise<boolean> => (await store.get(marks, id)) !== null;

  async function replace(id: string, change: (item: OutboxItem) => unknown): Promise<void> {
    for (let item = await store.get(partition, id); item; item = await store.get(partition, id)) {
      if (await store.replace({ ...item, value: change(item) })) return;
    }
  }
  const allEvents = async (): Promise<readonly Waiting[]> =>
    (await store.list(partition, 'event#')).map((item) => itemValue(item, outboxValues.waiting));
  const waiting = async (): Promise<readonly Waiting[]> =>
    (await allEvents()).filter(({ delivery }) => delivery === undefined);
  const assign = (ids: readonly string[], delivery: string): Promise<void> =>
    inGroups(ids, (id) =>
      replace(`event#${id}`, (item) => ({ ...itemValue(item, outboxValues.waiting), delivery })),
    );
  /** The events that a delivery is to have and does not have yet. */
  const missing = async ({ content }: Pick<Delivery, 'content'>): Promise<readonly string[]> => {
    if (content.kind === 'alarm') return [];
    if (content.kind === 'events') return content.events;
    const until = Date.parse(content.period.until);
    return (await waiting()).filter(({ at }) => at < until).map(({ event }) => event.id);
  };
  /** The stored events of a delivery. */
  const eventsOf = async ({ id, content }: Pick<Delivery, 'id' | 'content'>): Promise<readonly Waiting[]> => {
    if (content.kind === 'alarm') return [];
    if (content.kind === 'digest') return (await allEvents()).filter(({ delivery }) => delivery === id);
    const items = await Promise.all(content.events.map((each) => store.get(partition, `event#${each}`)));
    return items
      .filter((item): item is OutboxItem => item !== null)
      .map((item) => itemValue(item, outboxValues.waiting))
      .filter(({ delivery }) => delivery === id);
  };
  /** The mark of an event must be there before the event goes: the queue may deliver it again. */
  const removeEvents = (ids: readonly string[]): Promise<void> =>
    inGroups(ids, async (id) => {
      if (!(await isMarked(`event#${id}`))) await mark(`event#${id}`);
      await store.remove(partition, `event#${id}`);
    });
  const idsOf = async (delivery: Pick<Delivery, 'id' | 'content'>): Promise<readonly string[]> =>
    delivery.content.kind === 'events'
      ? delivery.content.events
      : (await eventsOf(delivery)).map(({ event }) => event.id);
  const clear = async (delivery: Pick<Delivery, 'id' | 'content'>): Promise<void> => {
    await removeEvents(await idsOf(delivery));
    await store.remove(partition, `open#${delivery.id}`);
  };
  const finish = async (delivery: Pick<Delivery, 'id' | 'content'>): Promise<void> => {
    await mark(`sent#${delivery.id}`);
    await clear(delivery);
  };
  const apart = createAside(store, partition);

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
      if (await isMarked(`event#${event.id}`)) return;
      await store.create({ partition, id: `event#${event.id}`, value: { at, event } satisfies Waiting });
      await mark(`event#${event.id}`);
    },
    async keepRating(event) {
      const expires = Math.floor(now() / 1000) + 2 * 86_400;
      await store.create({ partition: ratings, id: event.id, expires, value: event });
    },
    async keptRatings() {
      const items = await store.list(ratings, '');
      return items.map((item) => itemValue(item, outboxValues.event));
    },
    waiting,
    async deliveries() {
      const items = await store.list(partition, 'open#');
      const open: Delivery[] = [];
      for (const item of items) {
        const delivery = itemValue(item, outboxValues.delivery);
        if (await isMarked(`sent#${delivery.id}`)) {
          // A run ended within `finish`.
          await clear(delivery);
          continue;
        }
        // A run may have ended within `begin`; what was tried keeps its events.
        if (delivery.attempts === 0 && !delivery.trying) await assign(await missing(delivery), delivery.id);
        open.push(delivery);
      }
      return open;
    },
    async begin(content, at) {
      const id = deliveryId(partition, content);
      if (await isMarked(`sent#${id}`)) {
        if (content.kind === 'events') await removeEvents(content.events);
        return;
      }
      const delivery: Delivery = { id, content, begun: at, attempts: 0, notBefore: at, trying: false };
      if (await store.create({ partition, id: `open#${id}`, value: delivery }))
        await assign(await missing(delivery), id);
    },
    events: async (delivery) => (await eventsOf(delivery)).map(({ event }) => event),
    update: (delivery) => replace(`open#${delivery.id}`, () => delivery),
    finish,
    async setAside(delivery) {
      const events = await eventsOf(delivery);
      await apart.add({ delivery, events });
      await store.remove(partition, `open#${delivery.id}`);
      await removeEvents(events.map(({ event }) => event.id));
    },
    aside: () => apart.list(),
    async retry(id, { at, probing }) {
      const kept = await apart.get(id);
      if (!kept) return false;
      if (await isMarked(`sent#${id}`)) {
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
    async lastAlarm(alarm) {
      const item = await store.get(partition, alarmKey(alarm));
      return item ? itemValue(item, outboxValues.alarm) : null;
    },
    async saveAlarm(change) {
      const value = { state: change.state, at: change.at };
      if (!(await store.create({ partition, id: alarmKey(change), value })))
        await replace(alarmKey(change), () => value);
    },
    async lastDigest() {
      const item = await store.get(partition, 'digest');
      return item ? itemValue(item, outboxValues.digest).at : null;
    },
    async recentlyBegun() {
      const item = await store.get(partition, 'recent');
      return item ? itemValue(item, outboxValues.recent).at : [];
    },
    async saveRecentlyBegun(at) {
      if (!(await store.create({ partition, id: 'recent', value: { at } })))
        await replace('recent', () => ({ at }));
    },
    async saveLastDigest(at) {
      if (!(await store.create({ partition, id: 'digest', value: { at } })))
        await replace('digest', () => ({ at }));
    },
    usualPanels: usualPanelsOf(store),
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
      const item = await store.get(partition, 'lease');
      if (item && itemValue(item, outboxValues.lease).holder === holder)
        await store.remove(partition, 'lease');
    },
  };
}

const alarmKey = ({ alarm, catalogue }: Pick<AlarmChange, 'alarm' | 'catalogue'>): string =>
  `alarm#${catalogue ?? ''}#${alarm}`;
