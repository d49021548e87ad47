import { listingSchema } from './json-schemas.ts';
import { type Listing, mayReplace } from './listing.ts';
import { readStored } from './read-stored.ts';
import type { StateFile } from './sqlite-file.ts';
import { toJson } from './to-json.ts';

interface SqliteListing {
  read(): Listing | null;
  /** Saves a listing, unless a newer one is there. */
  save(listing: Listing): void;
}

/** The listing of the panels of one catalogue in a state file. Who calls it opens the transaction. */
export function createSqliteListing(
  { database }: StateFile,
  { catalogue, where }: { readonly catalogue: string; readonly where: string },
): SqliteListing {
  const read = (): Listing | null => {
    const found = database.prepare('SELECT listing FROM listing WHERE catalogue = ?').get(catalogue);
    return found ? readStored(where, listingSchema, found.listing) : null;
  };
  return {
    read,
    save(listing) {
      if (!mayReplace(read(), listing)) return;
      database
        .prepare(
          'INSERT INTO listing (catalogue, listing) VALUES (?, ?) ON CONFLICT (catalogue) DO UPDATE SET listing = excluded.listing',
        )
        .run(catalogue, toJson(listing));
    },
  };
}
