import type { Catalogue } from '../catalogue/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Listings } from './differences-of.ts';
import { type ListedRegion, listedPanel, listedRegion } from './listed.ts';

/** Both listings as they were read. */
export interface ReadListings extends Listings {
  /** Whether both listings hold every panel and region there was. */
  readonly complete: boolean;
  readonly regionCount: number;
}

/**
 * Reads `/panels/` and `/regions/`, one request after the other.
 *
 * @throws {CatalogueError} when the catalogue does not answer, or asks to wait
 */
export async function readListings(catalogue: Catalogue, clock: Clock): Promise<ReadListings> {
  const panels = await catalogue.listPanels();
  const regions = await catalogue.listRegions();
  const byPanel = new Map<number, ListedRegion[]>();
  for (const region of regions.items) {
    const own = byPanel.get(region.panel.id) ?? [];
    byPanel.set(region.panel.id, [...own, listedRegion(region)]);
  }
  return {
    panels: panels.items.map(listedPanel),
    regions: byPanel,
    regionCount: regions.items.length,
    listedAt: panels.serverTime ?? clock.now(),
    complete: panels.complete && regions.complete,
  };
}
