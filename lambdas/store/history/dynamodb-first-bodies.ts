import { type Item, text } from '../attribute-values.ts';
import { idIn, idKey, type KeptEvent } from './dynamodb-items.ts';
import { ABSENT, type HistoryTable, type ItemKey } from './dynamodb-table.ts';

/** Writes and reads events by their ids: the first body of an id stays. */
interface FirstBodies {
  /** Writes each event unless one of its id is kept. */
  put(events: readonly KeptEvent[]): Promise<void>;
  /** The items that are kept under the ids of these events, by id. */
  get(events: readonly KeptEvent[]): Promise<ReadonlyMap<string, Item>>;
}

/** Writes at the same time. */
const PARALLEL = 16;

/**
 * Keeps one item for each id. The key of an item begins with the time of its event. Where the id leaves that time open,
 * another item remembers the first key: it is written first, so that a second event of the id gets the same key.
 */
export function createFirstBodies(table: HistoryTable): FirstBodies {
  const keyIn = ({ monthKey, timeKey }: Item): ItemKey => ({ pk: monthKey?.S ?? '', sk: timeKey?.S ?? '' });

  const firstKeyOf = async ({ item, key }: KeptEvent): Promise<ItemKey> => {
    const { pk, sk } = idKey(key.pk, idIn(key));
    const first = { pk: text(pk), sk: text(sk), monthKey: text(key.pk), timeKey: text(key.sk) };
    const isFirst = await table.putIf({ ...first, ...(item.expires && { expires: item.expires }) }, ABSENT);
    if (isFirst) return key;
    return keyIn((await table.get(pk, sk)) ?? first);
  };

  return {
    async put(events) {
      for (let start = 0; start < events.length; start += PARALLEL) {
        await Promise.all(
          events.slice(start, start + PARALLEL).map(async (event) => {
            const { pk, sk } = event.hasOpenTime ? await firstKeyOf(event) : event.key;
            await table.putIf({ ...event.item, pk: text(pk), sk: text(sk) }, ABSENT);
          }),
        );
      }
    },
    async get(events) {
      const open = events.filter(({ hasOpenTime }) => hasOpenTime);
      const firstKeys = await table.getAll(open.map(({ key }) => idKey(key.pk, idIn(key))));
      const keys = [...events.map(({ key }) => key), ...firstKeys.map(keyIn)];
      const once = [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
      const items = await table.getAll(once);
      return new Map(items.map((item) => [idIn({ sk: item.sk?.S ?? '' }), item]));
    },
  };
}
