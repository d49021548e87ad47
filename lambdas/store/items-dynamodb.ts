import { hash } from 'node:crypto';
import { ConditionalCheckFailedException, type PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { inGroups } from '../run/in-groups.ts';
import { createDocuments, type Documents } from './documents.ts';
import {
  asRead,
  createTable,
  type Item,
  inParts,
  keyItem,
  number,
  PART_BYTES,
  type StateTableOptions,
  type TableOptions,
  text,
} from './dynamodb-table.ts';
import { type ItemStore, type KeptItem, type NewItem, packBody, readValue, unpackBody } from './items.ts';
import { type CatalogueListing, listingSchema, mayReplace } from './listing.ts';
import { damagedState, StateError } from './state-error.ts';
import type { StateStore } from './store.ts';
import { partitionOf } from './table-keys.ts';

interface DynamoItemsOptions extends TableOptions {
  /** What is kept, as errors name it: `the messages`. */
  readonly what: string;
}

/** The parts of a large value lie in a partition of its item's own, each under the writer's mark and its number. */
const partsOf = (partition: string, id: string): string => `${partition}#parts#${id}`;
const partKey = (writer: string, part: number): string => `${writer}#${part}`;

const PARALLEL = 25;

/**
 * Items in a table of DynamoDB. Every read is strongly consistent. The parts of a large value are written before the item that
 * names them: a reader never sees half a value, nor parts of two. Parts that a killed run leaves behind are never read.
 */
export function createDynamoItems({ what, ...options }: DynamoItemsOptions): ItemStore {
  const { clock } = options;
  const place = {
    name: `${what} in table "${options.table}"`,
    repair: 'Restore the table to an earlier time (point-in-time recovery).',
  };
  const unchanged = 'What was kept before is unchanged';
  const table = createTable(options, { where: place.name, unchanged });
  const damaged = (id: string, cause: unknown): StateError =>
    damagedState(`"${id}" of ${place.name}`, cause, place.repair);
  const getItem = (pk: string, sk: string): Promise<Item | undefined> => table.get({ pk, sk });

  async function get(partition: string, id: string): Promise<KeptItem | null> {
    const item = await getItem(partition, id);
    return item ? read(item) : null;
  }

  async function read(item: Item): Promise<KeptItem | null> {
    const [partition, id] = [item.pk?.S ?? '', item.sk?.S ?? ''];
    const expires = item.expires?.N === undefined ? undefined : Number(item.expires.N);
    // DynamoDB deletes what has expired within days.
    if (expires !== undefined && expires * 1000 <= clock.now()) return null;
    const body = item.body?.S ?? item.body?.B ?? (await joined(item, { partition, id }));
    if (body === null) return get(partition, id);
    try {
      const version = Number(item.version?.N ?? 0);
      return { partition, id, version, ...(expires !== undefined && { expires }), value: unpackBody(body) };
    } catch (cause) {
      throw damaged(id, cause);
    }
  }

  /** The parts of a large value; null where the item was replaced since it was read. */
  async function joined(
    { parts, writer }: Item,
    { partition, id }: Pick<KeptItem, 'partition' | 'id'>,
  ): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    for (let part = 0; part < Number(parts?.N ?? 0); part += 1) {
      const piece = (await getItem(partsOf(partition, id), partKey(writer?.S ?? '', part)))?.body?.B;
      if (piece) pieces.push(piece);
      else if ((await getItem(partition, id))?.writer?.S !== writer?.S) return null;
      else throw damaged(id, new Error(`part ${part + 1} of ${parts?.N} is missing`));
    }
    return Buffer.concat(pieces);
  }

  async function prepared(item: NewItem, version: number): Promise<Item> {
    const { partition, id, expires, value } = item;
    const body = packBody(value);
    const common = {
      ...keyItem({ pk: partition, sk: id }),
      version: number(version),
      ...(expires !== undefined && { expires: number(expires) }),
    };
    if (typeof body === 'string') return { ...common, body: text(body) };
    if (body.length <= PART_BYTES) return { ...common, body: { B: body } };
    const writer = hash('sha256', `${clock.random()} ${version} ${hash('sha256', body)}`).slice(0, 32);
    const pieces = inParts(body);
    for (const [part, piece] of pieces.entries()) {
      await table.put({
        ...keyItem({ pk: partsOf(partition, id), sk: partKey(writer, part) }),
        body: { B: piece },
        ...(expires !== undefined && { expires: number(expires) }),
      });
    }
    return { ...common, parts: number(pieces.length), writer: text(writer) };
  }

  /** Removes the parts of a value that no item names any longer. */
  async function removeParts({ pk, sk, parts, writer }: Item): Promise<void> {
    const partition = partsOf(pk?.S ?? '', sk?.S ?? '');
    for (let part = 0; part < Number(parts?.N ?? 0); part += 1)
      await table.remove({ pk: partition, sk: partKey(writer?.S ?? '', part) });
  }

  /** Writes an item; false where the condition does not hold. */
  async function write(
    item: NewItem,
    version: number,
    condition: Pick<PutItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'> = {},
  ): Promise<boolean> {
    const written = await prepared(item, version);
    try {
      const before = await table.put(written, { ReturnValues: 'ALL_OLD', ...condition });
      if (before && before.writer?.S !== written.writer?.S) await removeParts(before);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (!written.writer) return false;
      // The reply to an earlier attempt may have been lost: then this is what was written.
      const kept = await getItem(item.partition, item.id);
      if (kept?.writer?.S === written.writer.S) return true;
      await removeParts(written);
      return false;
    }
  }

  async function removeItem(pk: string, sk: string): Promise<void> {
    const before = await table.remove({ pk, sk }, { ReturnValues: 'ALL_OLD' });
    if (before) await removeParts(before);
  }

  return {
    place,
    get,
    async list(partition, range = '') {
      const isLast = typeof range !== 'string';
      const keys = isLast ? { to: range.upTo, limit: range.last, newestFirst: true } : { prefix: range };
      const items = await table.list({ pk: partition, ...keys });
      const kept: KeptItem[] = [];
      for (const item of isLast ? items.toReversed() : items) kept.push(...[(await read(item)) ?? []].flat());
      return kept;
    },
    create: (item) =>
      write(item, 1, {
        ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
        ExpressionAttributeValues: { ':now': number(Math.floor(clock.now() / 1000)) },
      }),
    replace: (item) => write(item, item.version + 1, asRead(number(item.version))),
    async put(...items) {
      const [only, ...others] = items;
      if (only && others.length === 0) {
        await write(only, 1);
        return;
      }
      const all: Item[] = [];
      for (const item of items) all.push(await prepared(item, 1));
      await table.putAll(all);
    },
    async remove(partition, ...ids) {
      await inGroups(PARALLEL, ids, (id) => removeItem(partition, id));
    },
  };
}

/** The documents of one catalogue in the notifier's table. */
export function createDynamoDocuments({ catalogue, runId, ...table }: StateTableOptions): Documents {
  const what = `the documents of catalogue "${catalogue}"`;
  return createDocuments(createDynamoItems({ ...table, what }), { catalogue, runId });
}

interface ListingOptions extends TableOptions {
  readonly catalogue: string;
}

/** The listing of panels, in a partition of its own. */
export function createDynamoListing({
  catalogue,
  ...table
}: ListingOptions): Pick<StateStore, 'listing' | 'saveListing'> {
  const items = createDynamoItems({ ...table, what: `the panels of catalogue "${catalogue}"` });
  const key = { partition: `${partitionOf(catalogue)}#panels`, id: 'listing' };

  const kept = async () => {
    try {
      const item = await items.get(key.partition, key.id);
      return item && { ...item, value: readValue(item, { schema: listingSchema, place: items.place }) };
    } catch (error) {
      // Events can do without it, and the next reading replaces it.
      if (error instanceof StateError && error.code === 'STATE_CORRUPT') return 'damaged' as const;
      throw error;
    }
  };
  const keptListing = (item: Awaited<ReturnType<typeof kept>>) =>
    item === null || item === 'damaged' ? null : item.value;

  return {
    listing: async () => keptListing(await kept()),
    async saveListing(listing) {
      for (let item = await kept(); mayReplace(keptListing(item), listing); item = await kept()) {
        const next = { ...key, value: listing };
        if (item === 'damaged') return items.put(next);
        const isWritten = item ? items.replace({ ...next, version: item.version }) : items.create(next);
        if (await isWritten) return;
      }
    },
  };
}

/**
 * The last listing of panels of each catalogue in a table, where there is one.
 * @throws {StateError} when the table cannot be read
 */
export async function readListings({
  catalogues,
  ...table
}: TableOptions & { readonly catalogues: readonly string[] }): Promise<readonly CatalogueListing[]> {
  const all = await Promise.all(
    catalogues.map(async (catalogue) => {
      const listing = await createDynamoListing({ ...table, catalogue }).listing();
      return listing ? [{ catalogue, listing }] : [];
    }),
  );
  return all.flat();
}
