import type { Snapshot } from './listed.ts';

/** Why a listing cannot be trusted. */
export type Refusal = 'incomplete' | 'empty' | 'shrunken';

interface Sizes {
  readonly complete: boolean;
  readonly panels: number;
  readonly regions: number;
}

/**
 * Why a listing cannot be trusted: it was not read to its end, is empty, or lost many of its panels or regions since
 * the last one. Null where it can be trusted.
 */
export function refusalOf(
  { complete, panels, regions }: Sizes,
  before: Snapshot,
  shrunkenPercent: number,
): Refusal | null {
  if (!complete) return 'incomplete';
  const listed = [...before.panels.values()].filter(({ lastListedAt }) => lastListedAt === undefined);
  const known = {
    panels: listed.length,
    regions: listed.reduce((sum, panel) => sum + panel.regions.length, 0),
  };
  if (panels === 0 && known.panels > 0) return 'empty';
  const shrunken = (now: number, then: number): boolean =>
    then - now > LONE_PANELS && now < then * (1 - shrunkenPercent / 100);
  return shrunken(panels, known.panels) || shrunken(regions, known.regions) ? 'shrunken' : null;
}

/** A listing may lose this many panels or regions: in a small catalogue, they are many in percent. */
const LONE_PANELS = 3;
