import { comparePanels } from './compare-panels.ts';
import { compareRegions } from './compare-regions.ts';
import { type Difference, difference } from './difference.ts';
import type { KnownPanel, ListedPanel, ListedRegion, Snapshot } from './listed.ts';
import { sameValue } from './same-value.ts';

/** Two complete listings, read one after the other. */
export interface Listings {
  readonly panels: readonly ListedPanel[];
  /** By the id of the panel that holds them. */
  readonly regions: ReadonlyMap<number, readonly ListedRegion[]>;
  /** When they were read, in milliseconds since the epoch. */
  readonly listedAt: number;
}

/** What differs of one panel, and what to store of the panel. */
export interface PanelDifferences {
  readonly id: number;
  readonly differences: readonly Difference[];
  readonly known: KnownPanel;
  /** When the panel was last listed before, in milliseconds since the epoch; null for one never seen. */
  readonly since: number | null;
  readonly visibility: Visibility;
}

/** Whether a panel is listed now and was listed before: `returned` is one that was not, and was at an earlier time. */
export type Visibility = 'listed' | 'new' | 'returned' | 'vanished';

/** Panels that differ from the snapshot: what changed, what appeared, and what vanished. */
export function differencesOf(before: Snapshot, { panels, regions }: Listings): readonly PanelDifferences[] {
  const names = new Map([
    ...[...before.panels.values()].map(({ panel }) => [panel.id, panel.name] as const),
    ...panels.map(({ id, name }) => [id, name] as const),
  ]);
  const nameOf = (id: number): string => names.get(id) ?? `panel ${id}`;
  const listed = new Set(panels.map(({ id }) => id));
  const vanished = [...before.panels.values()].filter(
    ({ panel, lastListedAt }) => lastListedAt === undefined && !listed.has(panel.id),
  );
  return [
    ...panels.flatMap((panel): readonly PanelDifferences[] => {
      const old = before.panels.get(panel.id);
      const now = { panel, regions: [...regionsOf(panel, regions.get(panel.id) ?? [], old)] };
      if (!old) return [{ ...appeared(now), since: null, visibility: 'new' }];
      const since = old.lastListedAt ?? before.listedAt;
      const differences = [
        ...(old.lastListedAt === undefined ? [] : [difference('panel.published', { via: 'listing' })]),
        ...comparePanels(old.panel, panel, nameOf).filter((found) => !isConsequence(found, old, now)),
        ...compareRegions(old.regions, now.regions),
      ];
      // What follows from another difference is stored, and not reported.
      if (sameValue(old, now)) return [];
      const visibility = old.lastListedAt === undefined ? 'listed' : 'returned';
      return [{ id: panel.id, differences, known: now, since, visibility }];
    }),
    ...vanished.map((known) => ({
      id: known.panel.id,
      differences: [difference('panel.withdrawn', { via: 'listing' })],
      known: { ...known, lastListedAt: before.listedAt },
      since: before.listedAt,
      visibility: 'vanished' as const,
    })),
  ];
}

/**
 * The regions of a panel. A panel that was hidden after the panels were listed has none among the listed regions,
 * although it states that it has some: then its earlier regions are kept.
 */
function regionsOf(
  panel: ListedPanel,
  listed: readonly ListedRegion[],
  old: KnownPanel | undefined,
): readonly ListedRegion[] {
  return listed.length === 0 && (panel.regions ?? 0) > 0 ? (old?.regions ?? []) : listed;
}

/** A panel that is listed for the first time is one difference, and its regions are none. */
function appeared(known: KnownPanel): Pick<PanelDifferences, 'id' | 'differences' | 'known'> {
  return { id: known.panel.id, differences: [difference('panel.published', { via: 'listing' })], known };
}

/** A number that follows from what else is reported: the regions of the panel, or the panels of a super panel. */
function isConsequence({ kind, change }: Difference, before: KnownPanel, after: KnownPanel): boolean {
  if (kind !== 'panel.changed') return false;
  return change.changes.every(({ field, from, to }) => {
    if (!field.startsWith('numberOf')) return false;
    if ((after.panel.childPanels ?? []).length > 0) return true;
    if (field !== 'numberOfRegions') return false;
    // A region that came between the two listings is in the second one only, and in the number a sweep later.
    const regions = after.regions.length - before.regions.length;
    return Number(to) - Number(from) === regions || Number(to) === after.regions.length;
  });
}
