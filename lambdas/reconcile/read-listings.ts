import * as z from 'zod';
import type { Catalogue } from '../catalogue/client.ts';
import type { ReadPages } from '../catalogue/http/listing.ts';
import { isBeforeVersion } from '../events/order.ts';
import type { Clock } from '../run/clock.ts';
import { type Documents, recordDocument } from '../store/documents.ts';
import { type ListedPanel, type ListedRegion, listedPanel, listedRegion } from './listed.ts';

/** Two listings, as they were read one after the other. */
export interface ReadListings {
  readonly panels: readonly ListedPanel[];
  /** By the id of the panel that holds them. */
  readonly regions: ReadonlyMap<number, readonly ListedRegion[]>;
  /** When they were read, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** Whether both listings hold every panel and region there was. */
  readonly complete: boolean;
  readonly regionCount: number;
  /** Panels that got a newer version between the reading of the two listings, which so show them at two moments. */
  readonly overtaken: ReadonlySet<number>;
}

/** Pages of both listings that were read before a reading was interrupted. */
interface PagesOfListings {
  readonly panels: ReadPages;
  readonly regions: ReadPages;
}

interface ListingsReading {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly pages: PagesOfListings;
  /** The most requests. */
  readonly requests: number;
  /** Milliseconds since the epoch after which no further page is asked for. */
  readonly deadline?: number | undefined;
}

/** The listings were not read to their end within the requests or the time of a sweep. */
export class ReadingInterrupted extends Error {
  override readonly name = 'ReadingInterrupted';
}

/**
 * Reads `/panels/` and `/regions/`, one request after the other, and adds each page to `pages`.
 *
 * @throws {CatalogueError} when the catalogue does not answer, or asks to wait
 * @throws {ReadingInterrupted} when the requests or the time are used up
 */
export async function readListings(reading: ListingsReading): Promise<ReadListings> {
  const { catalogue, clock, pages, requests, deadline = Number.POSITIVE_INFINITY } = reading;
  let asked = 0;
  const beforeRequest = (): void => {
    if (asked >= requests || clock.now() >= deadline) {
      throw new ReadingInterrupted(`Reading the listings: they have more pages than ${asked} requests gave`);
    }
    asked += 1;
  };
  const panels = await catalogue.listPanels({ pagesRead: pages.panels, beforeRequest });
  const regions = await catalogue.listRegions({ pagesRead: pages.regions, beforeRequest });
  const versions = new Map(panels.items.map(({ id, version }) => [id, version]));
  const byPanel = new Map<number, ListedRegion[]>();
  const overtaken = new Set<number>();
  for (const region of regions.items) {
    const { id, version } = region.panel;
    if (isBeforeVersion(versions.get(id) ?? version, version)) overtaken.add(id);
    const own = byPanel.get(id) ?? [];
    byPanel.set(id, [...own, listedRegion(region)]);
  }
  return {
    panels: panels.items.map(listedPanel),
    regions: byPanel,
    regionCount: regions.items.length,
    overtaken,
    listedAt: panels.serverTime ?? clock.now(),
    complete: panels.complete && regions.complete,
  };
}

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
