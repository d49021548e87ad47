import type { ShownPanel } from '../differences/shown.ts';
import { sameValue } from '../differences/values.ts';
import type { KnownPanel, ListedPanel, ListedRegion, Snapshot } from './listed.ts';
import { neverListed, notListed, shownInListing } from './shown-in-listing.ts';

/** Two complete listings, read one after the other. */
export interface Listings {
  readonly panels: readonly ListedPanel[];
  /** By the id of the panel that holds them. */
  readonly regions: ReadonlyMap<number, readonly ListedRegion[]>;
  /** When they were read, in milliseconds since the epoch. */
  readonly listedAt: number;
}

/** A panel in two listings, and what to store of it. */
export interface ListedTwice {
  readonly id: number;
  readonly before: ShownPanel;
  readonly after: ShownPanel;
  readonly known: KnownPanel;
  /** Whether the later listing shows anything else than the earlier one. */
  readonly differs: boolean;
  /** When the panel was last listed before, in milliseconds since the epoch; null for one never seen. */
  readonly since: number | null;
  readonly visibility: Visibility;
}

/** Whether a panel is listed now and was listed before: `returned` is one that was not, and was at an earlier time. */
export type Visibility = 'listed' | 'new' | 'returned' | 'vanished';

/** The panels of two listings, with those that appeared and those that vanished. */
export function panelsOfListings(before: Snapshot, { panels, regions }: Listings): readonly ListedTwice[] {
  const names = new Map([
    ...[...before.panels.values()].map(({ panel }) => [panel.id, panel.name] as const),
    ...panels.map(({ id, name }) => [id, name] as const),
  ]);
  const nameOf = (id: number): string => names.get(id) ?? `panel ${id}`;
  const listed = new Set(panels.map(({ id }) => id));
  // One that was hidden before may have been public in between, as its rows say.
  const vanished = [...before.panels.values()].filter(({ panel }) => !listed.has(panel.id));
  return [
    ...panels.map((panel): ListedTwice => {
      const old = before.panels.get(panel.id);
      const known = knownPanel(panel, regions.get(panel.id) ?? [], old);
      const after = shownInListing(known, nameOf);
      const { id } = panel;
      if (!old)
        return { id, before: neverListed, after, known, differs: true, since: null, visibility: 'new' };
      return {
        id,
        before: shownInListing(old, nameOf),
        after,
        known,
        differs: !sameValue(shownOf(old), shownOf(known)),
        since: old.lastListedAt ?? before.listedAt,
        visibility: old.lastListedAt === undefined ? 'listed' : 'returned',
      };
    }),
    ...vanished.map((known) => ({
      id: known.panel.id,
      before: shownInListing(known, nameOf),
      after: notListed,
      known: { ...known, lastListedAt: known.lastListedAt ?? before.listedAt },
      differs: known.lastListedAt === undefined,
      since: known.lastListedAt ?? before.listedAt,
      visibility: 'vanished' as const,
    })),
  ];
}

/** What listings show of a panel, without what events lead to. */
function shownOf({ panel, regions, regionsUnread, lastListedAt }: KnownPanel): object {
  return { panel, regions, regionsUnread, lastListedAt };
}

/**
 * A panel with its regions. A panel that was hidden after the panels were listed has none among the listed regions,
 * although it states that it has some: then its earlier regions are kept, once.
 */
function knownPanel(
  panel: ListedPanel,
  listed: readonly ListedRegion[],
  old: KnownPanel | undefined,
): KnownPanel {
  const lacksRegions = listed.length === 0 && (panel.regions ?? 0) > 0;
  const held = old?.regions ?? [];
  if (!lacksRegions || old?.regionsUnread || held.length === 0) return { panel, regions: [...listed] };
  return { panel, regions: held, regionsUnread: true };
}
