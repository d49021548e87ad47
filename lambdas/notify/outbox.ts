import type { PanelEvent } from '../events/schemas.ts';
import type { ItemStore } from '../store/items.ts';
import { replaceItem } from '../store/items.ts';
import { failedDeliveries, type SetAside } from './aside.ts';
import { type Delivery, type DeliveryContent, deliveryId, type Waiting } from './delivery.ts';
import { createDeliveryEvents, createMarks } from './delivery-events.ts';
import { inGroups } from './in-groups.ts';
import { createOutboxNotes, type OutboxNotes } from './outbox-notes.ts';
import { itemValue, outboxValues } from './outbox-values.ts';
import { type UsualPanels, usualPanelsOf } from './usual-panels.ts';

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
