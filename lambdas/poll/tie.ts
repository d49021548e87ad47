import { isPlaced, type LogRow } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';
import type { LogPage } from './log-page.ts';
import { type RowNumbers, rowsAbove, rowsBelow } from './row-numbers.ts';

/**
 * The rows of one instant, which may lie across pages. Each request may give them in another order, so that two pages
 * together may leave out a row. How many rows the instant has follows from the numbers of the rows around it.
 */
export interface Tie {
  readonly at: Instant;
  /** The rows that pages showed, by key. */
  readonly rows: ReadonlyMap<string, LogRow>;
  /** Whether several pages have rows of it. */
  readonly isSpread: boolean;
  /** Adds the rows of a page. True where the tie may continue on the page above. */
  add(page: LogPage): boolean;
  /** To call when rows may have got other numbers: from then on, the size of the tie is unknown. */
  lose(): void;
  /** Whether every row of the instant is known, from these pages or from the ledger. */
  isComplete(): boolean;
  /** The pages that hold the tie in a log of so many rows, newest first. */
  pagesIn(count: number): readonly number[];
}

interface TieOptions {
  readonly numbers: RowNumbers;
  /** Rows that were published, with their times. */
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/** The tie of a page's newest rows, which may continue on the page above. */
export function createTie(lowest: LogPage, { numbers, seen }: TieOptions): Tie {
  const at = lowest.newest;
  const rows = new Map<string, LogRow>();
  let copies = 0;
  let first: number | null = null;
  let end: number | null = null;
  /** While no newer row was seen, the tie reaches the end of the log, and may still grow. */
  let newest = 0;
  let pages = 0;
  let lost = false;

  const add = (page: LogPage): boolean => {
    const tied = page.received.filter((row) => isPlaced(row) && row.at === at);
    for (const row of tied) rows.set(row.key, row);
    copies = Math.max(copies, tied.length - new Set(tied.map(({ key }) => key)).size);
    const [firstOfPage, endOfPage] = [numbers.firstOf(page), numbers.endOf(page)];
    if (firstOfPage !== null && endOfPage !== null) {
      const [above, below] = [rowsAbove(at, page), rowsBelow(at, page)];
      if (below > 0 || !page.hasNext) first ??= firstOfPage + below;
      if (above > 0) end ??= endOfPage - above;
      newest = Math.max(newest, page.count ?? 0);
    }
    if (tied.length > 0) pages += 1;
    return tied.length > 0 && page.newest === at && page.number > 1;
  };
  add(lowest);

  return {
    at,
    rows,
    get isSpread() {
      return pages > 1;
    },
    add,
    lose: () => {
      lost = true;
    },
    isComplete: () => {
      if (lost || first === null) return false;
      const size = (end ?? newest) - first;
      const known = rows.size + copies;
      if (known >= size) return true;
      const published = [...seen].filter(([key, time]) => time === at && !rows.has(key)).length;
      return known + published >= size;
    },
    pagesIn: (count) => {
      const top = numbers.pageOf((end ?? count) - 1, count);
      const bottom = first === null ? top + 1 : numbers.pageOf(first, count);
      return Array.from({ length: bottom - top + 1 }, (_, index) => top + index);
    },
  };
}
