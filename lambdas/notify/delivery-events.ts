import type { ItemStore, KeptItem } from '../store/items.ts';
import { replaceItem } from '../store/items.ts';
import type { Delivery, Waiting } from './delivery.ts';
import { inGroups } from './in-groups.ts';
import { itemValue, outboxValues } from './outbox-values.ts';

/** Days for which events and deliveries are remembered, so that none is sent twice. */
const REMEMBERED_DAYS = 30;

/** What was taken in or sent, by its id. */
interface Marks {
  set(id: string): Promise<unknown>;
  has(id: string): Promise<boolean>;
}

/** Opens the marks of an outbox. */
export function createMarks(store: ItemStore, partition: string, now: () => number): Marks {
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
export function createDeliveryEvents(store: ItemStore, partition: string, marks: Marks): DeliveryEvents {
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
