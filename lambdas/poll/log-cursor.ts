import type { LogPage } from './log-page.ts';
import type { RowNumbers } from './row-numbers.ts';

/** How far a reading of the log has come: by the numbers of its rows, or without a usable count by its pages alone. */
export interface LogCursor {
  /** Rows of the log; null once the catalogue's count is of no use. */
  readonly count: number | null;
  /** The page at a number; null past the end. Rows that vanished meanwhile are taken into account. */
  readPage(number: number): Promise<LogPage | null>;
  loseCount(): void;
  /** Whether a page goes on where the rows end that were read. */
  isFollowedBy(page: LogPage): boolean;
  /** The page on which the first row lies that has not been read yet. */
  nextPage(): number;
  /** Counts the rows of a page as read; returns the rows of the log up to its newest one, null where they are unknown. */
  pass(page: LogPage): number | null;
  /** Whether every row was read that the log has by its count. */
  readonly isAtEnd: boolean;
  /** Whether no row is missing between the oldest row of a page and the rows that were read. */
  joins(page: LogPage): boolean;
}

interface CursorOptions {
  readonly first: LogPage;
  readonly numbers: RowNumbers;
  readonly readPage: (number: number) => Promise<LogPage | null>;
  /** Called where rows of the log vanished. */
  readonly onVanished: () => void;
}

/** Starts below every row of the log. */
export function createLogCursor({ first, numbers, readPage, onVanished }: CursorOptions): LogCursor {
  let { count } = first;
  /** The number of the first row that has not been read yet, while there is a count. */
  let next = Number.NEGATIVE_INFINITY;

  const joins = (page: LogPage): boolean => {
    const oldest = numbers.firstOf(page);
    return oldest !== null && oldest <= next;
  };

  return {
    get count() {
      return count;
    },
    async readPage(number) {
      const page = await readPage(number);
      if (!page || page.count === null || count === null) return page;
      if (page.count < count) {
        // If they were older, rows that have not been read yet have lower numbers now.
        next -= count - page.count;
        onVanished();
      }
      count = page.count;
      return page;
    },
    loseCount() {
      count = null;
    },
    isFollowedBy(page) {
      const end = numbers.endOf(page);
      return end !== null && end > next && joins(page);
    },
    nextPage: () => (count === null ? 1 : numbers.pageOf(next, count)),
    pass(page) {
      const end = numbers.endOf(page);
      if (end === null) count = null;
      else next = Math.max(next, end);
      return count === null ? null : end;
    },
    get isAtEnd() {
      return count !== null && next >= count;
    },
    joins,
  };
}
