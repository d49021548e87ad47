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

/** The numbers of the rows of a log. */
export type RowNumbers = ReturnType<typeof createRowNumbers>;

/**
 * Numbers the rows of a log that has so many rows on each full page. The oldest row of the log has the number 0. Rows that are added
 * at the newest end change no number, although they push every row to another page.
 */
export function createRowNumbers(pageSize: number) {
  /** The number after that of the page's newest row; null where the catalogue's count is unusable. */
  const endOf = ({ count, number }: LogPage): number | null =>
    count === null ? null : count - (number - 1) * pageSize;
  return {
    endOf,
    /** The number of the page's oldest row. */
    firstOf(page: LogPage): number | null {
      const end = endOf(page);
      return end === null ? null : end - page.received.length;
    },
    /** The page on which a row lies, in a log of so many rows. */
    pageOf: (row: number, count: number): number => Math.max(1, Math.floor((count - 1 - row) / pageSize) + 1),
  };
}

/** How many rows of a page lie above all of its rows that are not newer than an instant. */
export function rowsAbove(at: Instant, { received }: LogPage): number {
  const index = received.findIndex((row) => isPlaced(row) && row.at <= at);
  return index === -1 ? received.length : index;
}

/** How many rows of a page lie below all of its rows that are not older than an instant. */
export function rowsBelow(at: Instant, { received }: LogPage): number {
  return received.length - 1 - received.findLastIndex((row) => isPlaced(row) && row.at >= at);
}

/** Counts the rows of the log that are older than an instant. */
export type OlderCount = ReturnType<typeof createOlderCount>;

interface CountedPage {
  readonly number: number;
  /** The number of its oldest row. */
  readonly first: number;
  /** The times of its rows, newest first; NaN for a row without a usable time. */
  readonly times: readonly number[];
  readonly isLast: boolean;
}

/** Counts rows from the pages that a poll reads. */
export function createOlderCount() {
  const pages = new Map<number, CountedPage>();
  let numbers: RowNumbers | null = null;
  return {
    /** Adds a page that was read. */
    add(page: LogPage): void {
      if (page.number === 1) numbers ??= createRowNumbers(page.received.length);
      const first = numbers?.firstOf(page) ?? null;
      if (first === null) return;
      const times = page.received.map((row) => Number(isPlaced(row) ? row.at : Number.NaN));
      // The page that was read last is last in the map.
      pages.delete(page.number);
      pages.set(page.number, { number: page.number, first, times, isLast: !page.hasNext });
    },
    /**
     * How many rows are older; null where no page shows it. The number comes from one response alone, because the log
     * may change between two requests.
     */
    before(at: Instant): number | null {
      for (const { first, times, isLast, number } of [...pages.values()].reverse()) {
        const above = times.findLastIndex((time) => time >= at);
        if (above === -1) continue;
        const older = times.length - 1 - above;
        const next = pages.get(number + 1)?.times;
        if (older > 0 || isLast || next?.every((time) => !(time >= at))) return first + older;
      }
      return null;
    },
  };
}
