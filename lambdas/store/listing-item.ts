import { listingSchema } from './json-schemas.ts';
import type { Listing } from './listing.ts';
import { pack, unpack } from './packed.ts';
import { orCorrupt } from './stored-values.ts';

/** A listing of panels as compressed JSON. */
export const packListing = (listing: Listing): Uint8Array => pack(listing).B ?? new Uint8Array();

/** @throws {StateError} `STATE_CORRUPT`. */
export function readListing(packed: Uint8Array, where: string): Listing {
  return orCorrupt(where, () => unpack({ B: packed }, listingSchema));
}
