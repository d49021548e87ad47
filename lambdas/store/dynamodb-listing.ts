import type { TableOptions } from './dynamodb-table.ts';
import { readValue } from './items.ts';
import { createDynamoItems } from './items-dynamodb.ts';
import { type CatalogueListing, listingSchema, mayReplace } from './listing.ts';
import { StateError } from './state-error.ts';
import type { StateStore } from './store.ts';
import { partitionOf } from './table-keys.ts';

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
