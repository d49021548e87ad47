import type { Panel } from '../catalogue/schemas.ts';
import { type Instant, parseInstant } from '../clock/instant.ts';
import type { DatedVersion, ListedPanel, Listing, ListingRequests } from '../state/store.ts';
import { factsOf } from './facts-of.ts';

/** No reading yet, and no limit. */
export const noRequests: ListingRequests = { readings: [], absent: [], notBefore: null };

/** The versions of a panel that a listing keeps: the last one, and the one that it followed. */
const VERSIONS = 2;

/** What is kept of a reading of `/panels/`; versions that the listing before held are kept beside the new ones. */
export function listingOf(
  panels: readonly Panel[],
  readAt: Instant,
  before: Pick<Listing, 'panels'> | null,
): Pick<Listing, 'panels' | 'typeSlugs' | 'readAt'> {
  const types = panels.flatMap((panel) => panel.types);
  return {
    readAt,
    panels: new Map(panels.map((panel) => [panel.id, listed(panel, readAt, before?.panels.get(panel.id))])),
    typeSlugs: new Map(types.map(({ name, slug }) => [name, slug])),
  };
}

function listed(panel: Panel, readAt: Instant, before: ListedPanel | undefined): ListedPanel {
  const older = before?.versions ?? [];
  const { version } = panel;
  if (older[0]?.version === version) return { facts: factsOf(panel), versions: older };
  const current: DatedVersion = { version, at: parseInstant(panel.version_created) ?? readAt };
  return { facts: factsOf(panel), versions: [current, ...older].slice(0, VERSIONS) };
}
