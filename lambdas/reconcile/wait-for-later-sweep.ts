import { type Difference, isSilent } from '../differences/difference.ts';
import type { FollowedListings } from './followed-listings.ts';
import { olderVersions, waitingChanges } from './mass-change.ts';
import type { SweepOptions } from './sweep-options.ts';
import type { SweepProgress, SweepReport } from './sweep-report.ts';
import { type StoredSweep, saveSweep } from './sweep-state.ts';

interface Comparing {
  readonly stored: StoredSweep;
  readonly listings: FollowedListings;
  readonly run: SweepOptions;
  readonly report: SweepProgress;
}

/**
 * Ends a sweep in which too many panels have the same kind of change, or which lists a version that began before the one that was listed
 * earlier, unless a sweep at least an hour earlier saw the same, or a person accepts it. Undefined where the sweep goes on. The stored listing stays, so that nothing is lost.
 */
export async function waitForLaterSweep(
  found: readonly { readonly id: number; readonly differences: readonly Difference[] }[],
  { stored, listings, run, report }: Comparing,
): Promise<SweepReport | undefined> {
  if (run.accept) return undefined;
  const listed = [...stored.snapshot.panels.values()].filter(
    ({ lastListedAt }) => lastListedAt === undefined,
  );
  // A new panel with rows of the log is no invention of the listing.
  const hasRows = (id: number): boolean =>
    (listings.events.get(id) ?? []).some(({ event }) => !isSilent(event.data.change));
  const { changes, held } = waitingChanges({
    found: found.filter(({ id }) => stored.snapshot.panels.has(id) || !hasRows(id)),
    panels: listed.length,
    percent: run.sameChangePercent,
    held: stored.held ?? [],
    listedAt: listings.listedAt,
  });
  const older = olderVersions({
    panels: listings.panels,
    before: stored.snapshot,
    events: listings.events,
    held: stored.held ?? [],
    listedAt: listings.listedAt,
  });
  if (changes.length + older.changes.length === 0) return undefined;
  await saveSweep(run.documents, { ...stored, held: [...held, ...older.held] });
  if (older.changes.length > 0) {
    run.log.warn(
      'The listing of the panels shows versions that began before those that were listed; nothing is published until a sweep an hour later sees the same, or a person accepts it',
      { panels: older.held.map(({ panel }) => panel) },
    );
    return report.end('refused', 'outdated', older.changes);
  }
  run.log.warn(
    'Many panels have the same kind of change without a row; nothing is published until a sweep an hour later sees the same, or a person accepts it',
    { changes, panels: listed.length },
  );
  return report.end('refused', 'mass-change', changes);
}
