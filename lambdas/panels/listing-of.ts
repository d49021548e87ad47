import type { Panel } from '../catalogue/schemas.ts';
import { factsOf } from '../classifier/correlation/chunk-panels.ts';
import type { PanelFacts } from '../events/schemas.ts';
import { type Instant, parseInstant } from '../run/instant.ts';
import type { DatedVersion, ListedPanel, Listing, ListingRequests } from '../store/listing.ts';

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
  const holders = superPanelsOf(
    panels.map(({ child_panel_ids: children, ...panel }) => ({ ...panel, children })),
  );
  const listed = (panel: Panel): ListedPanel => ({
    name: panel.name,
    ...(panel.hash_id !== null && { hashId: panel.hash_id }),
    facts: factsOf(panel, holders(panel.id)),
    versions: versionsOf(panel, readAt, before?.panels.get(panel.id)),
  });
  return {
    readAt,
    panels: new Map(panels.map((panel) => [panel.id, listed(panel)])),
    typeSlugs: new Map(types.map(({ name, slug }) => [name, slug])),
  };
}

function versionsOf(
  { version, version_created: created }: Panel,
  readAt: Instant,
  before: ListedPanel | undefined,
): readonly DatedVersion[] {
  const older = before?.versions ?? [];
  const at = parseInstant(created);
  const [last] = older;
  // A panel that was set back may have come to the same number again.
  if (last?.version === version && (at === null || at === last.at)) return older;
  return [{ version, at: at ?? readAt }, ...older].slice(0, VERSIONS);
}

type SuperPanels = PanelFacts['superPanels'];

interface MayHoldPanels {
  readonly id: number;
  readonly name: string;
  /** Absent or null where the catalogue does not list the panels of its super panels. */
  readonly children: readonly number[] | null | undefined;
}

/**
 * Returns the super panels that hold a panel, by that panel's id; undefined where the catalogue does not list the panels
 * of its super panels.
 */
export function superPanelsOf(panels: readonly MayHoldPanels[]): (id: number) => SuperPanels {
  if (panels.every(({ children }) => !children)) return () => undefined;
  const holders = new Map<number, { readonly id: number; readonly name: string }[]>();
  for (const { id, name, children } of panels) {
    for (const child of children ?? []) holders.set(child, [...(holders.get(child) ?? []), { id, name }]);
  }
  return (id) => holders.get(id) ?? [];
}
