import { type Completeness, countVersions, isCountDue } from './completeness.ts';
import type { Snapshot } from './listed.ts';
import type { SweepOptions } from './sweep-options.ts';
import type { SweepProgress } from './sweep-report.ts';

/**
 * Counts, once a day, the panel versions that have a row of the log or an event of a sweep, and logs those that lack
 * both. Returns the last count where none is due.
 */
export async function countIfDue(
  before: Completeness | undefined,
  snapshot: Snapshot,
  { name: catalogue, history, log }: SweepOptions,
  report: SweepProgress,
): Promise<Completeness | undefined> {
  if (!isCountDue(before, snapshot.listedAt)) return before;
  const counted = await countVersions({ before, snapshot, catalogue, history });
  report.counted(counted);
  const known = new Set(before?.unexplained.map(({ panel, version }) => `${panel} ${version}`));
  const unexplained = counted.unexplained.filter(({ panel, version }) => !known.has(`${panel} ${version}`));
  if (unexplained.length > 0) {
    log.info('Panels went through versions that have no row and no event of a sweep', {
      versions: unexplained.map(({ name, version }) => `${name} ${version}`),
    });
  }
  return counted;
}
