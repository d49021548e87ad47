import type { ActivityPage } from '../catalogue/client.ts';
import { type LogRow, readLogRows } from '../catalogue/log-row.ts';
import { earlier, type Instant, instantOf, later } from '../clock/instant.ts';
import { PollError } from './poll-error.ts';

/** A page of the log. */
export interface LogPage {
  readonly number: number;
  /** Each row once, in the order received. */
  readonly rows: readonly LogRow[];
  readonly oldest: Instant;
  readonly newest: Instant;
  readonly count: number | null;
  readonly hasNext: boolean;
  /** The catalogue's own time; null where it did not say. */
  readonly serverTime: Instant | null;
}

/**
 * Reads the rows of a page; null for a page without rows. An invalid row is kept, to be published as
 * unclassified.
 * @throws {PollError} `LOG_UNREADABLE` when every row of the page is invalid: then the catalogue is at fault.
 */
export function logPage(page: ActivityPage): LogPage | null {
  if (page.rows.length === 0) return null;
  const rows = readLogRows(page.rows);
  const times = rows.flatMap(({ kind, at }) => (kind === 'activity' ? [at] : []));
  if (times.length === 0) {
    const [first] = rows;
    const problem = first?.kind === 'invalid' ? first.problem : '';
    throw new PollError(
      'LOG_UNREADABLE',
      `Reading page ${page.page} of the activity log: none of its ${page.rows.length} rows is an activity (the first: ${problem}). Nothing was published and the mark is unchanged. Has the interface changed?`,
    );
  }
  return {
    number: page.page,
    rows,
    oldest: times.reduce(earlier),
    newest: times.reduce(later),
    count: page.count,
    hasNext: page.hasNext,
    serverTime: page.serverTime === null ? null : instantOf(page.serverTime),
  };
}
