import type { Catalogue } from '../catalogue/client.ts';
import type { ReadPages } from '../catalogue/http/listing.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import type { Clock } from '../run/clock.ts';
import type { Listings } from './differences-of.ts';
import { type ListedRegion, listedPanel, listedRegion } from './listed.ts';

/** Both listings as they were read. */
export interface ReadListings extends Listings {
  /** Whether both listings hold every panel and region there was. */
  readonly complete: boolean;
  readonly regionCount: number;
  /** Panels that got a newer version between the reading of the two listings, which so show them at two moments. */
  readonly overtaken: ReadonlySet<number>;
}

/** Pages of both listings that were read before a reading was interrupted. */
export interface PagesOfListings {
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
