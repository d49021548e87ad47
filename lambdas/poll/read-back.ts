import { type LogRow, oldestFirst, withoutCopies } from '../catalogue/log-row.ts';
import { earlier, type Instant } from '../clock/instant.ts';
import type { Log } from '../log/log.ts';
import type { Gap } from '../state/position.ts';
import { type FloorSearch, type FoundFloor, findFloor } from './find-floor.ts';
import type { LogPage } from './log-page.ts';
import { haveSameRows } from './page-reader.ts';
import { PollError } from './poll-error.ts';
import { createRowNumbers, type RowNumbers } from './row-numbers.ts';
import { createTie, type Tie } from './tie.ts';

/**
 * Reads the log back to an instant and returns its rows oldest first. The log is newest first and changes while it is
 * read: rows that are added push others to the next page, and rows that vanish pull others up. Rows of one microsecond
 * come in another order with each request. So the pages are read from the oldest to the newest. Each has to begin where
 * the one before ended, by the numbers of its rows in the log.
 */

/** Rows, oldest first. */
export interface Batch<Row = LogRow> {
  readonly rows: readonly Row[];
  /** The instant that the mark must not pass, because rows may have been missed there; null for no limit. */
  readonly watermarkLimit: Instant | null;
  /** Rows of the log from its oldest row up to these; null where the catalogue's count is unusable. */
  readonly count: number | null;
}

interface Reading extends FloorSearch {
  /** Where to begin; searched for where absent. */
  readonly bottom?: FoundFloor;
  /** Rows at or after this instant need not be read; absent to read the log to its newest row. */
  readonly until?: Instant;
  /** Rows that were published, with their times. */
  readonly seen: ReadonlyMap<string, Instant | null>;
  /** Where an earlier poll may have missed a row. */
  readonly gap: Gap | null;
  readonly log: Log;
}

/** How often to request a page that does not begin where the one before ended. */
const TRIES = 4;
/** How often to read the pages of an incomplete tie again. */
const TIE_READS = 2;
/** After this many polls that found no row in a gap, the mark may pass it. */
const MOST_GAP_POLLS = 16;
/** A catalogue that gives the rows of one page this many times more, for other pages, ignores the page number. */
const REPEATED_PAGES = 4;

/** All rows at or after `floor` and before `until`, in batches, oldest first; each row once. */
export async function* rowsSince(reading: Reading): AsyncGenerator<Batch> {
  const { first, floor, until, seen } = reading;
  const numbers = createRowNumbers(first.received.length);
  const { number: bottom, pages } = reading.bottom ?? (await findFloor(reading));
  const limit = createLimit(reading);
  /** Keys of the rows that a batch has had. */
  const batched = new Set<string>();
  let tie: Tie | null = null;
  /** Rows of the log; null once the catalogue's count is of no use. */
  let count = first.count;
  /** The number of the first row that was not read yet, while there is a count. */
  let next = Number.NEGATIVE_INFINITY;

  const readPage = async (number: number): Promise<LogPage | null> => {
    const page = await reading.readPage(number);
    if (!page || page.count === null || count === null) return page;
    if (page.count < count) {
      // Rows vanished. If they were older, rows that were not read yet have lower numbers now.
      next -= count - page.count;
      tie?.lose();
    }
    count = page.count;
    return page;
  };

  /** Reads the pages of a tie again, until every row of it is known. */
  const completeTie = async (open: Tie, page: LogPage): Promise<void> => {
    for (let reads = 0; reads < TIE_READS; reads++) {
      const spanned = count === null ? [page.number, page.number + 1] : open.pagesIn(count);
      for (const number of spanned) {
        if (open.isComplete()) return;
        const again = await readPage(number);
        if (again) open.add(again);
      }
    }
    if (open.isComplete()) return;
    limit.set(open.at, 'Rows of one instant lie across pages of the log, and perhaps not all were seen', {
      rows: open.rows.size,
    });
  };

  /** Reads what the tie below a page needs; gives the rows of both. */
  const withTie = async (page: LogPage): Promise<readonly LogRow[]> => {
    const open: Tie | null = tie;
    const goesOn = open?.add(page) ?? false;
    if (open?.isSpread && !goesOn && open.at >= floor) await completeTie(open, page);
    if (!goesOn) tie = createTie(page, { numbers, seen });
    return [...page.rows, ...(open?.rows.values() ?? [])];
  };

  /** The rows that no batch has had yet, oldest first. */
  const newRows = (rows: readonly LogRow[]): readonly LogRow[] => {
    const added = rows
      // Only the last page may have no usable time at all: its rows count as the oldest.
      .map((row) => (row.at === 0n ? { ...row, at: floor } : row))
      .filter(({ at, key }) => at >= floor && !batched.has(key));
    for (const { key } of added) batched.add(key);
    return [...withoutCopies(added)].sort(oldestFirst);
  };

  let before: LogPage | null = null;
  let number = bottom;
  for (let tries = 1, repeats = 0; ; ) {
    const page: LogPage | null = pages.get(number) ?? (await readPage(number));
    pages.delete(number);
    if (!page) {
      if (number === 1) return;
      number -= 1;
      continue;
    }
    if (before && count !== null && !follows(numbers, page, next)) {
      tries += 1;
      if (tries <= TRIES) {
        const below = numbers.pageOf(next, count);
        // Rows were added: the page goes on where the one below it ends.
        if (below > number) pages.set(number, page);
        number = below;
        continue;
      }
      limit.set(before.newest, 'The pages of the log do not fit together; a row may be missing', {
        page: page.number,
        count: page.count,
      });
      count = null;
    }
    tries = 1;
    repeats = before && haveSameRows(page, before) ? repeats + 1 : 0;
    if (repeats === REPEATED_PAGES) throw samePages(number);
    const pushed = before && count === null ? await pushedDown(page, { readPage, batched, floor }) : [];
    const rows = newRows([...pushed, ...(await withTie(page))]);
    const end = numbers.endOf(page);
    if (end === null) count = null;
    else next = Math.max(next, end);
    yield { rows, watermarkLimit: limit.at, count: count === null ? null : end };
    if (until !== undefined && page.newest >= until) return;
    if (page.number === 1 || (count !== null && next >= count)) return;
    before = page;
    if (count === null) number = page.number - 1;
    else number = joins(numbers, first, next) && pages.has(1) ? 1 : numbers.pageOf(next, count);
  }
}

/** Whether a page goes on where the rows end that were read. */
function follows(numbers: RowNumbers, page: LogPage, next: number): boolean {
  const end = numbers.endOf(page);
  return end !== null && end > next && joins(numbers, page, next);
}

/** Whether no row is missing between the oldest row of a page and the rows that were read. */
function joins(numbers: RowNumbers, page: LogPage, next: number): boolean {
  const first = numbers.firstOf(page);
  return first !== null && first <= next;
}

interface Pushed {
  readonly readPage: (number: number) => Promise<LogPage | null>;
  readonly batched: ReadonlySet<string>;
  readonly floor: Instant;
}

/** Without a count: the rows of the pages below one, which may have got some of its rows since they were read. */
async function pushedDown(page: LogPage, { readPage, batched, floor }: Pushed): Promise<readonly LogRow[]> {
  const rows: LogRow[] = [];
  for (let number = page.number + 1; ; number++) {
    const below = await readPage(number);
    rows.push(...(below?.rows ?? []));
    if (!below?.hasNext || below.oldest < floor || below.rows.some(({ key }) => batched.has(key)))
      return rows;
  }
}

interface Limit {
  readonly at: Instant | null;
  set(at: Instant, message: string, fields: Record<string, unknown>): void;
}

/** Keeps the oldest instant that the mark must not pass. */
function createLimit({ gap, log }: Reading): Limit {
  let limit: Instant | null = null;
  return {
    get at() {
      return limit;
    },
    set: (at, message, fields) => {
      if (gap?.at === at && gap.polls >= MOST_GAP_POLLS) {
        log.warn(`${message}; ${gap.polls} polls found no further one, and the mark goes on`, fields);
        return;
      }
      log.warn(`${message}; the mark waits there`, fields);
      limit = earlier(limit ?? at, at);
    },
  };
}

function samePages(number: number): PollError {
  return new PollError(
    'LOG_UNREADABLE',
    `Reading pages ${number + REPEATED_PAGES} to ${number} of the activity log: all have the same rows, so the catalogue seems to ignore the page number. What was published stays published; the mark is at the last row published.`,
  );
}
