import type { ActivityPage } from '../catalogue/client.ts';
import { isPlaced, type LogRow, lengthOf, readEachLogRow, withoutCopies } from '../catalogue/log-row.ts';
import { earlier, type Instant, instantOf, later } from '../run/instant.ts';

/** A page of the log. */
export interface LogPage {
  readonly number: number;
  /** Each row once, in the order received. */
  readonly rows: readonly LogRow[];
  /** All rows, also those that are equal in every field. */
  readonly received: readonly LogRow[];
  /** What is wrong with its first row, where none of its rows is an activity; else null. */
  readonly problem: string | null;
  /** The times of its activities; where it has none, of its other rows; 0 where no row has a usable time. */
  readonly oldest: Instant;
  readonly newest: Instant;
  /** Rows of the whole log, as the catalogue counts them; null where its count is unusable. */
  readonly count: number | null;
  readonly hasNext: boolean;
  /** How long the texts of its rows are together, in UTF-16 units. */
  readonly length: number;
  /** The catalogue's own time; null where it did not say. */
  readonly serverTime: Instant | null;
}

/** The rows of a page; null for a page without rows. An invalid row is kept, to be published as unclassified. */
export function logPage(page: ActivityPage): LogPage | null {
  const received = readEachLogRow(page.rows);
  const [first] = received;
  if (!first) return null;
  const activities = received.filter(({ kind }) => kind === 'activity');
  const timed = activities.length > 0 ? activities : received.filter(isPlaced);
  const times = timed.length > 0 ? timed.map(({ at }) => at) : [0n];
  return {
    number: page.page,
    rows: withoutCopies(received),
    received,
    problem: activities.length === 0 && first.kind === 'invalid' ? first.problem : null,
    oldest: times.reduce(earlier),
    newest: times.reduce(later),
    count: page.count,
    hasNext: page.hasNext,
    length: received.reduce((length, row) => length + lengthOf(row), 0),
    serverTime: page.serverTime === null ? null : instantOf(page.serverTime),
  };
}

/** A page without any usable time, with the time of a neighbouring row for each of its rows. */
export function placedAt(page: LogPage, at: Instant): LogPage {
  const place = (row: LogRow): LogRow => ({ ...row, at });
  return { ...page, rows: page.rows.map(place), received: page.received.map(place), oldest: at, newest: at };
}
