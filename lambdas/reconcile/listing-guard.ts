import type { ListedPanel, Snapshot } from './listed.ts';

/**
 * Why nothing is published from a listing. `incomplete`, `empty`: it says nothing. `shrunken`: many stored panels or regions
 * are missing. `renumbered`: many stored panels have other ids. `mass-change`: many panels have the same kind of change.
 * `outdated`: it lists a version that began before the one that was listed earlier.
 */
export type Refusal = 'incomplete' | 'empty' | 'shrunken' | 'renumbered' | 'mass-change' | 'outdated';

/** The refusals of a listing that a person can accept nevertheless. */
export const acceptable: ReadonlySet<Refusal> = new Set([
  'shrunken',
  'renumbered',
  'mass-change',
  'outdated',
]);

interface Listed {
  readonly complete: boolean;
  readonly panels: readonly Pick<ListedPanel, 'id' | 'name'>[];
  readonly regions: number;
}

/**
 * Why a listing cannot be trusted: it was not read to its end, is empty, or lacks many of the panels or regions that the
 * last one had, by their ids. Null where it can be trusted.
 */
export function refusalOf(
  { complete, panels, regions }: Listed,
  before: Snapshot,
  shrunkenPercent: number,
): Refusal | null {
  if (!complete) return 'incomplete';
  const known = [...before.panels.values()].filter(({ lastListedAt }) => lastListedAt === undefined);
  if (panels.length === 0 && known.length > 0) return 'empty';
  const shrunken = (now: number, then: number): boolean =>
    then - now > LONE_PANELS && now < then * (1 - shrunkenPercent / 100);
  const ids = new Set(panels.map(({ id }) => id));
  const missing = known.filter(({ panel }) => !ids.has(panel.id));
  const knownRegions = known.reduce((sum, panel) => sum + panel.regions.length, 0);
  const lost = shrunken(known.length - missing.length, known.length);
  if (lost && areRenumbered(missing, panels, before)) return 'renumbered';
  return lost || shrunken(regions, knownRegions) ? 'shrunken' : null;
}

/** A listing may lose this many panels or regions: in a small catalogue, they are many in percent. */
const LONE_PANELS = 3;

/** Whether most of the missing panels are listed by the same name under another id, which no panel had before. */
function areRenumbered(
  missing: readonly { readonly panel: Pick<ListedPanel, 'name'> }[],
  panels: Listed['panels'],
  before: Snapshot,
): boolean {
  const names = new Set(panels.filter(({ id }) => !before.panels.has(id)).map(({ name }) => name));
  const found = missing.filter(({ panel }) => names.has(panel.name));
  return found.length * 2 > missing.length;
}
