import type { ActivityPage } from '../catalogue/client.ts';
import { isPlaced, type LogRow, readEachLogRow, withoutCopies } from '../catalogue/log-row.ts';
import { earlier, type Instant, instantOf, later } from '../clock/instant.ts';
import { PollError } from './poll-error.ts';

/** A page of the log. */
export interface LogPage {
  readonly number: number;
  /** Each row once, in the order received. */
  readonly rows: readonly LogRow[];
  /** All rows, also those that are equal in every field. */
  readonly received: readonly LogRow[];
  /** The times of its activities; where it has none, of its other rows; 0 where no row has a usable time. */
  readonly oldest: Instant;
  readonly newest: Instant;
  /** Rows of the whole log, as the catalogue counts them; null where its count is unusable. */
  readonly count: number | null;
  readonly hasNext: boolean;
  /** The catalogue's own time; null where it did not say. */
  readonly serverTime: Instant | null;
}

/**
 * Reads the rows of a page; null for a page without rows. An invalid row is kept, to be published as
 * unclassified.
 * @throws {PollError} `LOG_UNREADABLE` when every row of the page is invalid: then the catalogue is at fault. The
 *   last page of several may hold nothing else, since it may have a single row.
 */
export function logPage(page: ActivityPage): LogPage | null {
  const received = readEachLogRow(page.rows);
  const [first] = received;
  if (!first) return null;
  const activities = received.filter(({ kind }) => kind === 'activity');
  const isLastOfSeveral = page.page > 1 && !page.hasNext;
  if (activities.length === 0 && !isLastOfSeveral) {
    const problem = first.kind === 'invalid' ? first.problem : '';
    throw new PollError(
      'LOG_UNREADABLE',
      `Reading page ${page.page} of the activity log: none of its ${received.length} rows is an activity (the first: ${problem}). Nothing was published and the mark is unchanged. Has the interface changed?`,
    );
  }
  const timed = activities.length > 0 ? activities : received.filter(isPlaced);
  const times = timed.length > 0 ? timed.map(({ at }) => at) : [0n];
  return {
    number: page.page,
    rows: withoutCopies(received),
    received,
    oldest: times.reduce(earlier),
    newest: times.reduce(later),
    count: page.count,
    hasNext: page.hasNext,
    serverTime: page.serverTime === null ? null : instantOf(page.serverTime),
  };
}
