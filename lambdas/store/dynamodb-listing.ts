import { type Item, number, text, wasWritten } from './dynamodb-call.ts';
import type { StateTable } from './dynamodb-table.ts';
import { inParts, PART_BYTES } from './item-parts.ts';
import { listingSchema } from './json-schemas.ts';
import { orCorrupt } from './known-items.ts';
import { type Listing, OLDER_MS } from './listing.ts';
import { pack, unpack } from './packed.ts';
import { partitionOf } from './partition.ts';
import type { StateStore } from './store.ts';

/** A listing that was read later stays; one that seems so for over an hour has the time of a wrong clock. */
const NOT_NEWER = 'attribute_not_exists(readAt) OR readAt <= :readAt OR listedAt < :longBefore';

const NAME = 'listing';

/**
 * The listing of panels, in a partition of its own. A large one lies in parts, `listing#<run>#<part>`, which are written
 * before the item that names them.
 */
export function createDynamoListing(
  table: StateTable,
  { catalogue, runId }: { readonly catalogue: string; readonly runId: string },
): Pick<StateStore, 'listing' | 'saveListing'> {
  const pk = `${partitionOf(catalogue)}#panels`;
  const head = (): Promise<Item | undefined> => table.get(pk, NAME, { consistent: true });
  const partKeys = ({ parts, writer }: Item): readonly string[] =>
    Array.from({ length: Number(parts?.N ?? 0) }, (_, part) => `${NAME}#${writer?.S ?? ''}#${part}`);

  /** The packed listing of an item and its parts; undefined where a part is missing. */
  const packedIn = async (item: Item): Promise<Uint8Array | undefined> => {
    if (item.listed?.B) return item.listed.B;
    const keys = partKeys(item);
    const parts = await table.getAll(pk, keys);
    const bytes = keys.map((key) => parts.get(key)?.body?.B);
    return keys.length > 0 && bytes.every((part) => part !== undefined) ? Buffer.concat(bytes) : undefined;
  };

  return {
    async listing() {
      const item = await head();
      if (!item) return null;
      // Another writer may have removed the parts since the item was read.
      const packed = (await packedIn(item)) ?? (await packedIn((await head()) ?? {}));
      // Events can do without it, and the next reading replaces it.
      return packed ? readListing(packed, table.where) : null;
    },

    async saveListing(listing) {
      const packed = packListing(listing);
      const writer = `${runId}-${listing.listedAt}`;
      const parts = packed.length > PART_BYTES ? inParts(packed) : [];
      const split = { parts: number(parts.length), writer: text(writer) };
      const before = await head();
      for (const [part, sk] of partKeys(split).entries()) {
        const body = { B: parts[part] ?? new Uint8Array() };
        await table.put({ pk: text(pk), sk: text(sk), body });
      }
      const { readAt, listedAt } = listing;
      const isWritten = await wasWritten(() =>
        table.put(
          {
            pk: text(pk),
            sk: text(NAME),
            readAt: number(readAt),
            listedAt: number(listedAt),
            ...(parts.length > 0 ? split : { listed: { B: packed } }),
          },
          {
            ConditionExpression: NOT_NEWER,
            ExpressionAttributeValues: {
              ':readAt': number(readAt),
              ':longBefore': number(listedAt - OLDER_MS),
            },
          },
        ),
      );
      if (!isWritten) {
        const there = await head();
        if (there?.writer?.S !== writer) await table.deleteAll(pk, partKeys(split));
        return;
      }
      if (before && before.writer?.S !== writer) await table.deleteAll(pk, partKeys(before));
    },
  };
}

/** A listing of panels as compressed JSON. */
const packListing = (listing: Listing): Uint8Array => pack(listing).B ?? new Uint8Array();

/** @throws {StateError} `STATE_CORRUPT`. */
function readListing(packed: Uint8Array, where: string): Listing {
  return orCorrupt(where, () => unpack({ B: packed }, listingSchema));
}
