import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { toJson } from './packed.ts';
import { damagedState } from './state-error.ts';

/** One thing that is kept. */
export interface KeptItem {
  readonly partition: string;
  readonly id: string;
  readonly version: number;
  /** Seconds since the epoch after which it counts as removed. */
  readonly expires?: number;
  /**
   * What JSON can say; instants become text, maps lists of entries. However long: the store packs and splits it. It must not be changed:
   * the same may be given again.
   */
  readonly value: unknown;
}
/** An item that is to be kept. */
export type NewItem = Omit<KeptItem, 'version'>;

/** Which items of a partition: those whose id begins so, or the last ones, up to an id where one is given. */
type ItemRange = string | { readonly last: number; readonly upTo?: string };

/**
 * Keeps items: in DynamoDB, in a file of SQLite, or in memory. Every read shows every write before it.
 * @throws {StateError} from every method, when the place cannot be read or written
 */
export interface ItemStore {
  /** The place as errors name it, and how it is repaired. */
  readonly place: { readonly name: string; readonly repair: string };
  get(partition: string, id: string): Promise<KeptItem | null>;
  /** The items by id; all of the partition where no range is given. */
  list(partition: string, range?: ItemRange): Promise<readonly KeptItem[]>;
  /** Keeps a new item. False where there is one already, which stays as it is. */
  create(item: NewItem): Promise<boolean>;
  /** False where the kept version is not `item.version`; else the item is kept with the next version. */
  replace(item: KeptItem): Promise<boolean>;
  /** Keeps items, also in place of others: as version 1 again, so for items of which no version is compared. */
  put(...items: readonly NewItem[]): Promise<void>;
  remove(partition: string, ...ids: readonly string[]): Promise<void>;
}

/**
 * The value of an item.
 * @throws {StateError} `STATE_CORRUPT` when it has another form
 */
export function readValue<Shape extends z.ZodType>(
  { id, value }: Pick<KeptItem, 'id' | 'value'>,
  { schema, place }: { readonly schema: Shape } & Pick<ItemStore, 'place'>,
): z.infer<Shape> {
  const before = typeof value === 'object' && value !== null ? readBefore.get(value) : undefined;
  if (before?.schema === schema) return before.data as z.infer<Shape>;
  const read = schema.safeParse(value);
  if (!read.success) throw damagedState(`"${id}" of ${place.name}`, read.error, place.repair);
  if (typeof value === 'object' && value !== null) readBefore.set(value, { schema, data: read.data });
  return read.data;
}

/** What was read of values: a store may give the same one again. */
const readBefore = new WeakMap<object, { readonly schema: z.ZodType; readonly data: unknown }>();

/** Changes the value of an item, again where another run changed it meanwhile; nothing happens where there is none. */
export async function replaceItem(
  store: ItemStore,
  { partition, id }: Pick<KeptItem, 'partition' | 'id'>,
  change: (item: KeptItem) => unknown,
): Promise<void> {
  for (let item = await store.get(partition, id); item; item = await store.get(partition, id)) {
    if (await store.replace({ ...item, value: change(item) })) return;
  }
}

/** JSON of more characters is compressed. */
const SHORT = 4_000;

/** The next quality takes twice as long for a few percent less, and the best ten times. */
const QUICKLY = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 };

/** A value as a store of items keeps it: short JSON as it is, longer JSON compressed. */
export function packBody(value: unknown): string | Uint8Array {
  const json = toJson(value ?? null);
  return json.length <= SHORT ? json : brotliCompressSync(json, { params: QUICKLY });
}

/** A value as an attribute of DynamoDB. */
export const packedBody = (value: unknown): AttributeValue => {
  const body = packBody(value);
  return typeof body === 'string' ? { S: body } : { B: body };
};

/** @throws {Error} when the attribute is missing or damaged */
export const packedIn = (attribute: AttributeValue | undefined): unknown =>
  unpackBody(attribute?.S ?? attribute?.B);

/** @throws {Error} when the body is damaged */
export function unpackBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return JSON.parse(brotliDecompressSync(body).toString('utf8'));
  return JSON.parse(String(body));
}

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
