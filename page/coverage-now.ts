import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { readsToEnd } from '../lambdas/poll/report.ts';
import { type Instant, instantOf } from '../lambdas/run/instant.ts';
import type { Coverage } from '../lambdas/store/history/history.ts';
import { readUpTo } from '../lambdas/store/history/read-part.ts';
import type { HistoryPages } from '../lambdas/store/history/sqlite-pages.ts';
import type { WatchRecord } from './watcher/watcher-state.ts';

/**
 * Returns what was read, up to the last poll of this process. A poll that finds no new row writes nothing, so in the history
 * alone a night without changes looks like one in which no poll ran. Of several catalogues the record does not say which
 * one it polled.
 */
export function coverageNow(
  coverage: readonly Coverage[],
  record: WatchRecord | undefined,
): readonly Coverage[] {
  const [catalogue, ...others] = new Set(coverage.map((period) => period.catalogue));
  if (catalogue === undefined || others.length > 0) return coverage;
  return readUpTo(coverage, { catalogue, until: lastReading(record) });
}

function lastReading(record: WatchRecord | undefined): Instant | null {
  for (const run of record?.runs() ?? []) {
    if (run.kind === 'poll' && readsToEnd(run.report.outcome)) return instantOf(run.at - run.milliseconds);
  }
  return null;
}

/** The newest event of a panel. */
export function newestOf(pages: HistoryPages, catalogue: string, panel: number): PanelEvent | undefined {
  return pages.page({ catalogue, filter: { panels: [panel] } }, { size: 1, examined: 1 }).events[0]?.event;
}

/** The time of the newest event in the history; null for an empty one. */
export function newestTime(pages: HistoryPages): string | null {
  const [newest] = pages.page({}, { size: 1, examined: 1 }).events;
  return newest ? new Date(Number(newest.at / 1000n)).toISOString() : null;
}
