import { type Instant, instantOf, later } from '../lambdas/clock/instant.ts';
import type { Coverage } from '../lambdas/history/history.ts';
import type { PollReport } from '../lambdas/poll/report.ts';
import type { WatchRecord } from './watcher/watch-record.ts';

/** The outcomes of polls that read the log to its end. */
const readToEnd: ReadonlySet<PollReport['outcome']> = new Set(['quiet', 'published', 'begun']);

/**
 * Returns what was read, up to the last poll of this process. A poll that finds no new row writes nothing, so in the history
 * alone a night without changes looks like one in which no poll ran. Of several catalogues the record does not say which
 * one it polled.
 */
export function coverageNow(
  coverage: readonly Coverage[],
  record: WatchRecord | undefined,
): readonly Coverage[] {
  const last = lastReading(record);
  const isOne = new Set(coverage.map(({ catalogue }) => catalogue)).size === 1;
  if (last === null || !isOne) return coverage;
  return coverage.map((period, index) =>
    index === coverage.length - 1 ? { ...period, until: later(period.until, last) } : period,
  );
}

function lastReading(record: WatchRecord | undefined): Instant | null {
  for (const run of record?.runs() ?? []) {
    if (run.kind === 'poll' && readToEnd.has(run.report.outcome)) return instantOf(run.at - run.milliseconds);
  }
  return null;
}
