import type { ItemStore, KeptItem } from './items.ts';

/** Items that are kept as long as the process: for previews and tests. `now` in milliseconds since the epoch. */
export function memoryItems(now: () => number): ItemStore {
  const items = new Map<string, KeptItem>();
  const keyOf = (partition: string, id: string): string => JSON.stringify([partition, id]);
  const find = (key: string): KeptItem | null => {
    const item = items.get(key);
    return item && (item.expires === undefined || item.expires * 1000 > now()) ? item : null;
  };
  const put = (item: KeptItem): void => {
    items.set(keyOf(item.partition, item.id), { ...item, value: structuredClone(item.value) });
  };
  return {
    place: { name: 'the items in memory', repair: 'Start again.' },
    get: async (partition, id) => find(keyOf(partition, id)),
    async list(partition, range = '') {
      const kept = [...items.keys()]
        .flatMap((key) => find(key) ?? [])
        .filter((item) => item.partition === partition)
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      if (typeof range === 'string') return kept.filter(({ id }) => id.startsWith(range));
      return kept.filter(({ id }) => range.upTo === undefined || id <= range.upTo).slice(-range.last);
    },
    create: async (item) => {
      if (find(keyOf(item.partition, item.id))) return false;
      put({ ...item, version: 1 });
      return true;
    },
    replace: async (item) => {
      if (find(keyOf(item.partition, item.id))?.version !== item.version) return false;
      put({ ...item, version: item.version + 1 });
      return true;
    },
    put: async (...all) => {
      for (const item of all) put({ ...item, version: 1 });
    },
    remove: async (partition, ...ids) => {
      for (const id of ids) items.delete(keyOf(partition, id));
    },
  };
}
