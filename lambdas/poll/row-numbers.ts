import { isPlaced } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';
import type { LogPage } from './log-page.ts';

/**
 * The numbers of rows: the oldest row of the log has the number 0. Rows that are added at the newest end change no
 * number, although they push every row to another page.
 */
export interface RowNumbers {
  /** The number of the page's oldest row; null where the catalogue's count is unusable. */
  firstOf(page: LogPage): number | null;
  /** The number after that of the page's newest row. */
  endOf(page: LogPage): number | null;
  /** The page on which a row lies, in a log of so many rows. */
  pageOf(row: number, count: number): number;
}

/** Numbers the rows of a log that has so many rows on each full page. */
export function createRowNumbers(pageSize: number): RowNumbers {
  const endOf = ({ count, number }: LogPage): number | null =>
    count === null ? null : count - (number - 1) * pageSize;
  return {
    endOf,
    firstOf: (page) => {
      const end = endOf(page);
      return end === null ? null : end - page.received.length;
    },
    pageOf: (row, count) => Math.max(1, Math.floor((count - 1 - row) / pageSize) + 1),
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
