import { isBeforeVersion, versionNumbers } from '../events/panel-version.ts';
import { type Difference, difference, isSilent, type Via } from './difference.ts';
import { type Fact, untouched } from './fact.ts';
import { textOf } from './values.ts';

/** The version of a panel, and up to which one its promotions are known. */
export interface ReachedVersion {
  readonly reached: string;
  /** Rows may name a version whose promotion has no row. */
  readonly promotedTo: string;
}

const later = (one: string | undefined, other: string): string =>
  one !== undefined && !isBeforeVersion(one, other) ? one : other;

const majorOf = (version: string): number => versionNumbers(version)?.[0] ?? 0;

const reach = (version: string): ReachedVersion => ({ reached: version, promotedTo: version });

/** The version of a panel. Each major version is a promotion, the minor ones after the last are one change. */
export const version: Fact<string, ReachedVersion> = {
  known: reach,
  leads: {
    'panel.promoted': ({ version: to }, before) => ({
      reached: later(before?.reached, to),
      promotedTo: later(before?.promotedTo, to),
    }),
    'panel.changed': ({ changes }) => {
      const stated = changes.findLast(({ field }) => field === 'version');
      if (!stated) return untouched;
      const to = textOf(stated.to);
      return typeof to === 'string' ? reach(to) : undefined;
    },
  },
  // A row that shows up late names a version that the panel has left.
  implied: ({ data: { panel, change } }, before) => {
    if (!panel?.version || isSilent(change)) return untouched;
    const reached = later(before?.reached, panel.version);
    const isPromoted = before !== undefined && majorOf(reached) > majorOf(before.promotedTo);
    return { reached, promotedTo: isPromoted ? before.promotedTo : reached };
  },
  corrects: {
    'panel.promoted': (change, { reached }) =>
      change.previousVersion !== null &&
      isBeforeVersion(change.previousVersion, reached) &&
      isBeforeVersion(reached, change.version)
        ? { ...change, previousVersion: reached }
        : change,
  },
  same: ({ reached, promotedTo }, shown) => reached === shown && majorOf(promotedTo) >= majorOf(shown),
  publishes: (from, to, { via }) => versions(from, to, via),
};

/** A number set by hand rises by more major versions than this; those between never were. */
const MOST_PROMOTIONS = 10;

function versions({ reached, promotedTo }: ReachedVersion, to: string, via: Via): readonly Difference[] {
  const differences: Difference[] = [];
  const [known, shown] = [majorOf(promotedTo), majorOf(to)];
  let previousVersion = promotedTo;
  const first = shown - known > MOST_PROMOTIONS ? shown : known + 1;
  for (let major = first; major <= shown; major += 1) {
    const promoted = `${major}.0`;
    differences.push(difference('panel.promoted', { version: promoted, previousVersion, via }));
    previousVersion = promoted;
  }
  const before = differences.length > 0 ? later(reached, previousVersion) : reached;
  if (before === to) return differences;
  const change = { field: 'version', from: before, to } as const;
  return [...differences, difference('panel.changed', { changes: [change], via })];
}
