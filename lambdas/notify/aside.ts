import type { ItemStore } from '../store/items.ts';
import type { Delivery, Waiting } from './delivery.ts';
import { inGroups } from './in-groups.ts';
import { itemValue, outboxValues } from './outbox-values.ts';

/** A delivery that is set aside, with its events. */
export interface SetAside {
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
export function failedDeliveries(store: ItemStore, partition: string): Aside {
  const own = `${partition}#aside`;
  let moved = false;
  const eventsOf = (id: string) => store.list(own, `event#${id}#`);

  /** Version 0.2 kept them for 30 days, among what is sent. */
  async function moveEarlier(): Promise<void> {
    if (moved) return;
    for (const item of await store.list(partition, 'failed#')) {
      const delivery = itemValue(item, outboxValues.delivery);
      const items = await store.list(partition, 'event#');
      const events = items
        .map((each) => itemValue(each, outboxValues.waiting))
        .filter((each) => each.delivery === delivery.id);
      await add({ delivery, events });
      await inGroups(events, ({ event }) => store.remove(partition, `event#${event.id}`));
      await store.remove(partition, item.id);
    }
    moved = true;
  }

  async function add({ delivery, events }: SetAside): Promise<void> {
    await inGroups(events, async (each) => {
      await store.create({ partition: own, id: `event#${delivery.id}#${each.event.id}`, value: each });
    });
    await store.put({ partition: own, id: `failed#${delivery.id}`, value: delivery });
  }

  return {
    add,
    async list() {
      await moveEarlier();
      const items = await store.list(own, 'failed#');
      return items
        .map((item) => itemValue(item, outboxValues.delivery))
        .sort((one, other) => one.begun - other.begun);
    },
    async get(id) {
      await moveEarlier();
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
