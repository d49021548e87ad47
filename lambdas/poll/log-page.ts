import type { ActivityPage } from '../catalogue/client.ts';
import { readActivity } from '../catalogue/read-activity.ts';
import { earlier, type Instant, instantOf, later, parseInstant } from '../clock/instant.ts';
import type { Entry } from '../correlation/entry.ts';
import { rawRowKey, rowKey } from '../events/ids.ts';
import { PollError } from './poll-error.ts';

/** A page of the log, its rows made comparable. */
export interface LogPage {
  readonly number: number;
  /** Each row once, in the order received; `late` is not decided yet. */
  readonly entries: readonly Entry[];
  readonly oldest: Instant;
  readonly newest: Instant;
  readonly count: number | null;
  readonly hasNext: boolean;
  /** The catalogue's own time; null where it did not say. */
  readonly serverTime: Instant | null;
}

/**
 * Reads the rows of a page. A row that is no activity, or has no usable `created`, is kept with the time of
 * its neighbour, to be told as unclassified; a page without a single good row is a fault of the catalogue and
 * fails (`LOG_UNREADABLE`). Null for a page without rows.
 */
export function logPage(page: ActivityPage): LogPage | null {
  if (page.rows.length === 0) return null;
  const entries = readRows(page.rows);
  const stamps = entries.flatMap(({ activity, at }) => (activity ? [at] : []));
  if (stamps.length === 0) {
    throw new PollError(
      'LOG_UNREADABLE',
      `Reading page ${page.page} of the activity log: none of its ${page.rows.length} rows is an activity (the first: ${entries[0]?.problem}). Nothing was told and the mark is where it was. Has the interface changed?`,
    );
  }
  return {
    number: page.page,
    entries,
    oldest: stamps.reduce(earlier),
    newest: stamps.reduce(later),
    count: page.count,
    hasNext: page.hasNext,
    serverTime: page.serverTime === null ? null : instantOf(page.serverTime),
  };
}

/** Rows as received, each once. One without a usable time gets that of the row before it, or else after it. */
export function readRows(rows: readonly unknown[]): readonly Entry[] {
  const read = rows.map(readRow);
  let neighbour = read.find(({ at }) => at !== null)?.at ?? 0n;
  const entries = new Map<string, Entry>();
  for (const entry of read) {
    neighbour = entry.at ?? neighbour;
    entries.set(entry.key, { ...entry, at: neighbour, late: false });
  }
  return [...entries.values()];
}

function readRow(row: unknown): Omit<Entry, 'at' | 'late'> & { readonly at: Instant | null } {
  const read = readActivity(row);
  if (!read.ok) return { key: rawRowKey(row), at: stampOf(row), row, activity: null, problem: read.problem };
  const { activity } = read;
  const at = parseInstant(activity.created);
  if (at !== null) return { key: rowKey(activity, at), at, row, activity };
  const problem = `created: ${JSON.stringify(activity.created).slice(0, 60)} is not an ISO 8601 time with Z or an offset in the years 2000 to 2099`;
  return { key: rawRowKey(row), at, row, activity: null, problem };
}

/** Where a row that is otherwise damaged belongs in time. */
function stampOf(row: unknown): Instant | null {
  return typeof row === 'object' && row !== null && 'created' in row ? parseInstant(row.created) : null;
}
