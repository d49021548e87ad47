/** One thing that the outbox keeps. */
export interface OutboxItem {
  /** The subscription and channel that it belongs to, or a part of them. */
  readonly partition: string;
  readonly id: string;
  /** Grows with every write. */
  readonly version: number;
  /** Seconds since the epoch after which it counts as deleted. */
  readonly expires?: number;
  readonly value: unknown;
}

/** Where the outbox keeps what waits, what is under way and what was sent. */
export interface OutboxStore {
  get(partition: string, id: string): Promise<OutboxItem | null>;
  /** Items whose id begins with `prefix`, by id. */
  list(partition: string, prefix: string): Promise<readonly OutboxItem[]>;
  /** Stores a new item. False where there is one already, which stays as it is. */
  create(item: Omit<OutboxItem, 'version'>): Promise<boolean>;
  /** False where the stored version is not `item.version`; else the item is stored with the next version. */
  replace(item: OutboxItem): Promise<boolean>;
  remove(partition: string, id: string): Promise<void>;
}

/** An outbox that lasts as long as the process: for previews and tests. `now` in milliseconds since the epoch. */
export function memoryOutbox(now: () => number): OutboxStore {
  const items = new Map<string, OutboxItem>();
  const keyOf = (partition: string, id: string): string => JSON.stringify([partition, id]);
  const find = (key: string): OutboxItem | null => {
    const item = items.get(key);
    return item && (item.expires === undefined || item.expires * 1000 > now()) ? item : null;
  };
  const put = (item: OutboxItem): void => {
    items.set(keyOf(item.partition, item.id), { ...item, value: structuredClone(item.value) });
  };
  return {
    get: async (partition, id) => find(keyOf(partition, id)),
    list: async (partition, prefix) =>
      [...items.keys()]
        .flatMap((key) => find(key) ?? [])
        .filter((item) => item.partition === partition && item.id.startsWith(prefix))
        .sort((one, other) => (one.id < other.id ? -1 : 1)),
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
    remove: async (partition, id) => {
      items.delete(keyOf(partition, id));
    },
  };
}
