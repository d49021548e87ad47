import { isPlaced, type LogRow } from '../catalogue/log-row.ts';
import { earlier, type Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Gap } from '../store/position.ts';
import { type LogPage, type RowNumbers, rowsAbove, rowsBelow } from './log-page.ts';

/** How often to read the pages of an incomplete tie again. */
const TIE_READS = 2;

interface TieReaderOptions extends TieOptions {
  readonly floor: Instant;
  readonly limit: WatermarkLimit;
}

/** The log as it is counted and read at the moment. */
interface CountedLog {
  readonly count: number | null;
  readPage(number: number): Promise<LogPage | null>;
}

/** Reads rows of one microsecond that lie across pages. */
export function createTieReader(log: () => CountedLog, { numbers, seen, floor, limit }: TieReaderOptions) {
  let tie: Tie | null = null;

  /** Reads the pages of a tie again, until every row of it is known. */
  const complete = async (open: Tie, page: LogPage): Promise<void> => {
    for (let reads = 0; reads < TIE_READS; reads++) {
      const { count } = log();
      const spanned = count === null ? [page.number, page.number + 1] : open.pagesIn(count);
      if (open.isComplete()) return;
      // A page that was read earlier may number its rows as they were before others were added and taken away.
      if (reads > 0) open.numberAnew();
      for (const number of spanned) {
        if (open.isComplete()) return;
        const again = await log().readPage(number);
        if (again) open.add(again);
      }
    }
    if (open.isComplete()) return;
    limit.set(open.at, 'Rows of one instant lie across pages of the log, and perhaps not all were seen', {
      rows: open.rows.size,
    });
  };

  return {
    /** The rows of a page, and those of the tie below it, which is completed first. */
    async rowsOf(page: LogPage): Promise<readonly LogRow[]> {
      const open = tie;
      const goesOn = open?.add(page) ?? false;
      if (open?.isSpread && !goesOn && open.at >= floor) await complete(open, page);
      if (!goesOn) tie = createTie(page, { numbers, seen });
      return [...page.rows, ...(open?.rows.values() ?? [])];
    },
    /** Rows of the log vanished: which rows of the tie were read is unknown. */
    lose: () => tie?.lose(),
  };
}

/** The rows of one instant. */
export type Tie = ReturnType<typeof createTie>;

interface TieOptions {
  readonly numbers: RowNumbers;
  /** Rows that were published, with their times. */
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/**
 * The tie of a page's newest rows, which may continue on the page above. Each request may give the rows of one instant in another
 * order, so that two pages together may leave out a row. How many rows the instant has follows from the numbers of the rows around it.
 */
export function createTie(lowest: LogPage, { numbers, seen }: TieOptions) {
  const at = lowest.newest;
  /** The rows that pages showed, by key. */
  const rows = new Map<string, LogRow>();
  /** The keys of those that were shown since rows vanished last. */
  const shown = new Set<string>();
  let copies = 0;
  let first: number | null = null;
  let end: number | null = null;
  /** While no newer row was seen, the tie reaches the end of the log, and may still grow. */
  let newest = 0;
  let pages = 0;
  let lost = false;

  /** Adds the rows of a page. True where the tie may continue on the page above. */
  const add = (page: LogPage): boolean => {
    const tied = page.received.filter((row) => isPlaced(row) && row.at === at);
    for (const row of tied) {
      rows.set(row.key, row);
      shown.add(row.key);
    }
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
  /** Forgets the numbers of the rows, by which the size of the tie was known. */
  const numberAnew = (): void => {
    [first, end, newest] = [null, null, 0];
  };

  return {
    at,
    rows,
    /** Whether several pages have rows of it. */
    get isSpread() {
      return pages > 1;
    },
    add,
    /** To call when rows may have vanished: the size of the tie is unknown until pages are added again. */
    lose: () => {
      lost = true;
      copies = 0;
      shown.clear();
      numberAnew();
    },
    numberAnew,
    /** Whether every row of the instant is known, from these pages or from the ledger. */
    isComplete: () => {
      if (first === null) return false;
      const size = (end ?? newest) - first;
      const known = shown.size + copies;
      if (known >= size) return true;
      // One of the rows that were published may have vanished.
      if (lost) return false;
      const published = [...seen].filter(([key, time]) => time === at && !rows.has(key)).length;
      return known + published >= size;
    },
    /** The pages that hold the tie in a log of so many rows, newest first. */
    pagesIn: (count: number): readonly number[] => {
      const top = numbers.pageOf((end ?? count) - 1, count);
      const bottom = first === null ? top + 1 : numbers.pageOf(first, count);
      return Array.from({ length: bottom - top + 1 }, (_, index) => top + index);
    },
  };
}

/** After this many polls that found no row in a gap, the mark may pass it. */
const MOST_GAP_POLLS = 16;

type WatermarkLimit = ReturnType<typeof createWatermarkLimit>;

interface LimitOptions {
  /** Where an earlier poll may have missed a row. */
  readonly gap: Gap | null;
  readonly log: Log;
}

/** The oldest instant that the mark must not pass, because rows may have been missed there. Starts without one. */
export function createWatermarkLimit({ gap, log }: LimitOptions) {
  let limit: Instant | null = null;
  return {
    /** Null for no limit. */
    get at() {
      return limit;
    },
    set(at: Instant, message: string, fields: Record<string, unknown>): void {
      if (gap?.at === at && gap.polls >= MOST_GAP_POLLS) {
        log.warn(`${message}; ${gap.polls} polls found no further one, and the mark goes on`, fields);
        return;
      }
      log.warn(`${message}; the mark waits there`, fields);
      limit = earlier(limit ?? at, at);
    },
  };
}
