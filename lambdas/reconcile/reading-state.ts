import * as z from 'zod';
import type { ReadPages } from '../catalogue/http/listing.ts';
import type { Clock } from '../run/clock.ts';
import { type Documents, recordDocument } from '../store/documents.ts';
import type { PagesOfListings } from './read-listings.ts';

/** A reading of the listings that was interrupted, so that the next sweep goes on from there. */
export interface StoredReading {
  readonly version: number;
  /** Milliseconds since the epoch before which the catalogue accepts no request; 0 where it did not say. */
  readonly notBefore: number;
  /** Up to which version of the poller's position events were published before the first page was read. */
  readonly publishedTo: number;
  /** Empty where none is left, or they are too old. */
  readonly pages: PagesOfListings;
}

const NAME = 'reading';

/** Older pages are read again. The longest time between two sweeps is a day. */
const USABLE_MS = 25 * 60 * 60 * 1000;

const pagesSchema = z.lazy(() =>
  z
    .array(
      z.tuple([
        z.number(),
        z.object({
          items: z.array(z.unknown()),
          count: z.number().nullable(),
          hasNext: z.boolean(),
          serverTime: z.number().nullable(),
        }),
      ]),
    )
    .transform((pages): ReadPages => new Map(pages)),
);
const documentSchema = z.lazy(() =>
  z.object({
    /** When it was stored, in milliseconds since the epoch. */
    at: z.number(),
    notBefore: z.number(),
    publishedTo: z.number(),
    panels: pagesSchema,
    regions: pagesSchema,
  }),
);

const document = recordDocument('the interrupted listing', documentSchema);

/**
 * The reading that an earlier sweep left.
 *
 * @throws {StateError} `STATE_CORRUPT` when what is stored is not one, or as the store does
 */
export async function loadReading(documents: Documents, clock: Clock): Promise<StoredReading> {
  const stored = await document.load(documents, NAME);
  if (!stored) return { version: 0, notBefore: 0, publishedTo: 0, pages: noPages() };
  const { at, panels, regions, ...reading } = stored;
  return { ...reading, pages: clock.now() - at < USABLE_MS ? { panels, regions } : noPages() };
}

/** Replaces the stored reading. A reading without pages and with `notBefore` 0 leaves nothing to go on with. */
export async function saveReading(
  documents: Documents,
  clock: Clock,
  reading: StoredReading,
): Promise<StoredReading> {
  const { pages, ...others } = reading;
  const { version } = await document.save(documents, NAME, { at: clock.now(), ...others, ...pages });
  return { ...reading, version };
}

/** A reading that has no page yet. */
export const noPages = (): PagesOfListings => ({ panels: new Map(), regions: new Map() });
