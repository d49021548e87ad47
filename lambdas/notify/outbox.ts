import type { PanelEvent } from '../events/schemas.ts';
import type { AlarmChange } from '../messages/alarm.ts';
import { type Delivery, type DeliveryContent, deliveryId, type Waiting } from './delivery.ts';
import type { OutboxItem, OutboxStore } from './outbox-store.ts';

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
  events(delivery: Delivery): Promise<readonly PanelEvent[]>;
  /** Stores a delivery whose attempt begins, or failed. */
  update(delivery: Delivery): Promise<void>;
  /** Ends a delivery that was sent, or that has nothing to send. */
  finish(delivery: Delivery): Promise<void>;
  /** Sets a delivery aside that failed for good. */
  setAside(delivery: Delivery): Promise<void>;
  /** The ids of deliveries that are set aside. */
  setAsideIds(): Promise<readonly string[]>;
  /** Begins a delivery that was set aside anew; false where there is none of this id. */
  retry(id: string, at: number): Promise<boolean>;
  /** The last change of an alarm that was taken in; null where there was none. */
  lastAlarm(
    alarm: Pick<AlarmChange, 'alarm' | 'catalogue'>,
  ): Promise<Pick<AlarmChange, 'state' | 'at'> | null>;
  saveAlarm(change: AlarmChange): Promise<void>;
  /** The end of the last digest's period, in milliseconds since the epoch; null before the first one. */
  lastDigest(): Promise<number | null>;
  saveLastDigest(at: number): Promise<void>;
  /** Reserves the outbox until a time, so that only `holder` sends; false where another holder has it. */
  lease(holder: string, until: number, now: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** Days for which events and deliveries are remembered, so that none is sent twice. */
const REMEMBERED_DAYS = 30;

/** The outbox of one subscription and channel in a store that holds all of them. */
export function createOutbox(
  store: OutboxStore,
  {
    subscription,
    channel,
    now,
  }: { readonly subscription: string; readonly channel: string; readonly now: () => number },
): Outbox {
  const partition = `notify#${subscription}#${channel}`;
  const marks = `${partition}#marks`;
  const ratings = `${partition}#ratings`;
  const expires = (): number => Math.floor(now() / 1000) + REMEMBERED_DAYS * 86_400;
  const mark = (id: string): Promise<boolean> =>
    store.create({ partition: marks, id, expires: expires(), value: null });
  const isMarked = async (id: string): Promise<boolean> => (await store.get(marks, id)) !== null;

  async function replace(id: string, change: (value: unknown) => unknown): Promise<void> {
    for (let item = await store.get(partition, id); item; item = await store.get(partition, id)) {
      if (await store.replace({ ...item, value: change(item.value) })) return;
    }
  }
  const eventItems = async (): Promise<readonly OutboxItem[]> => store.list(partition, 'event#');
  const waitingIn = (items: readonly OutboxItem[]): readonly Waiting[] =>
    items.map(({ value }) => value as Waiting).filter(({ delivery }) => delivery === undefined);
  const assign = (ids: readonly string[], delivery: string): Promise<void> =>
    inGroups(ids, (id) => replace(`event#${id}`, (value) => ({ ...(value as Waiting), delivery })));
  /** The events that a delivery is to have and does not have yet. */
  const missing = async ({ content }: Pick<Delivery, 'content'>): Promise<readonly string[]> => {
    if (content.kind === 'alarm') return [];
    if (content.kind === 'events') return content.events;
    const until = Date.parse(content.period.until);
    return waitingIn(await eventItems())
      .filter(({ at }) => at < until)
      .map(({ event }) => event.id);
  };
  const idsOf = async ({ id, content }: Pick<Delivery, 'id' | 'content'>): Promise<readonly string[]> => {
    if (content.kind === 'alarm') return [];
    if (content.kind === 'events') return content.events;
    const items = await eventItems();
    return items.flatMap(({ value }) => {
      const { delivery, event } = value as Waiting;
      return delivery === id ? [event.id] : [];
    });
  };
  const removeEvents = (ids: readonly string[]): Promise<void> =>
    inGroups(ids, (id) => store.remove(partition, `event#${id}`));
  const clear = async (delivery: Pick<Delivery, 'id' | 'content'>): Promise<void> => {
    await removeEvents(await idsOf(delivery));
    await store.remove(partition, `open#${delivery.id}`);
  };

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
      return items.map(({ value }) => value as PanelEvent);
    },
    waiting: async () => waitingIn(await eventItems()),
    async deliveries() {
      const items = await store.list(partition, 'open#');
      const open: Delivery[] = [];
      for (const { value } of items) {
        const delivery = value as Delivery;
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
    async events({ id, content }) {
      const items =
        content.kind === 'events'
          ? await Promise.all(content.events.map((each) => store.get(partition, `event#${each}`)))
          : await eventItems();
      return items
        .filter((item): item is OutboxItem => item !== null)
        .map(({ value }) => value as Waiting)
        .filter(({ delivery }) => delivery === id)
        .map(({ event }) => event);
    },
    update: (delivery) => replace(`open#${delivery.id}`, () => delivery),
    async finish(delivery) {
      await mark(`sent#${delivery.id}`);
      await clear(delivery);
    },
    async setAside(delivery) {
      await store.create({ partition, id: `failed#${delivery.id}`, expires: expires(), value: delivery });
      await store.remove(partition, `open#${delivery.id}`);
    },
    async setAsideIds() {
      const items = await store.list(partition, 'failed#');
      return items.map(({ id }) => id.slice('failed#'.length));
    },
    async retry(id, at) {
      const item = await store.get(partition, `failed#${id}`);
      if (!item) return false;
      const delivery: Delivery = {
        ...(item.value as Delivery),
        begun: at,
        attempts: 0,
        notBefore: at,
      };
      await store.create({ partition, id: `open#${id}`, value: delivery });
      await store.remove(partition, `failed#${id}`);
      return true;
    },
    async lastAlarm(alarm) {
      const item = await store.get(partition, alarmKey(alarm));
      return (item?.value as Pick<AlarmChange, 'state' | 'at'> | undefined) ?? null;
    },
    async saveAlarm(change) {
      const value = { state: change.state, at: change.at };
      if (!(await store.create({ partition, id: alarmKey(change), value })))
        await replace(alarmKey(change), () => value);
    },
    async lastDigest() {
      const item = await store.get(partition, 'digest');
      return (item?.value as { readonly at: number } | undefined)?.at ?? null;
    },
    async saveLastDigest(at) {
      if (!(await store.create({ partition, id: 'digest', value: { at } })))
        await replace('digest', () => ({ at }));
    },
    async lease(holder, until, at) {
      const value = { holder, until };
      if (await store.create({ partition, id: 'lease', value })) return true;
      const item = await store.get(partition, 'lease');
      if (!item) return false;
      const held = item.value as { readonly holder: string; readonly until: number };
      if (held.until > at && held.holder !== holder) return false;
      return store.replace({ ...item, value });
    },
    async release(holder) {
      const item = await store.get(partition, 'lease');
      if ((item?.value as { readonly holder: string } | undefined)?.holder === holder)
        await store.remove(partition, 'lease');
    },
  };
}

const alarmKey = ({ alarm, catalogue }: Pick<AlarmChange, 'alarm' | 'catalogue'>): string =>
  `alarm#${catalogue ?? ''}#${alarm}`;

/** The most writes at the same time: more would exceed the smallest capacity of a table. */
const GROUP = 25;

async function inGroups(ids: readonly string[], write: (id: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < ids.length; start += GROUP)
    await Promise.all(ids.slice(start, start + GROUP).map(write));
}
