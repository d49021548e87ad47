import { type LogRow, oldestFirst, withoutCopies } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Gap } from '../store/position.ts';
import { createRowNumbers, haveSameRows, type LogPage, PollError, type RowNumbers } from './log-page.ts';
import { createTieReader, createWatermarkLimit } from './tie-reader.ts';

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
/** A catalogue that gives the rows of one page this many times more, for other pages, ignores the page number. */
const REPEATED_PAGES = 4;

/** All rows at or after `floor` and before `until`, in batches, oldest first; each row once. */
export async function* rowsSince(reading: Reading): AsyncGenerator<Batch> {
  const { first, floor, until, seen } = reading;
  const numbers = createRowNumbers(first.received.length);
  const { number: bottom, pages } = reading.bottom ?? (await findFloor(reading));
  const limit = createWatermarkLimit(reading);
  const ties = createTieReader(() => cursor, { numbers, seen, floor, limit });
  const cursor = createLogCursor({ first, numbers, readPage: reading.readPage, onVanished: ties.lose });
  /** Keys of the rows that a batch has had. */
  const batched = new Set<string>();

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
    const page: LogPage | null = pages.get(number) ?? (await cursor.readPage(number));
    pages.delete(number);
    if (!page) {
      if (number === 1) return;
      number -= 1;
      continue;
    }
    if (before && cursor.count !== null && !cursor.isFollowedBy(page)) {
      tries += 1;
      if (tries <= TRIES) {
        const below = cursor.nextPage();
        // Rows were added: the page goes on where the one below it ends.
        if (below > number) pages.set(number, page);
        number = below;
        continue;
      }
      limit.set(before.newest, 'The pages of the log do not fit together; a row may be missing', {
        page: page.number,
        count: page.count,
      });
      cursor.loseCount();
    }
    tries = 1;
    repeats = before && haveSameRows(page, before) ? repeats + 1 : 0;
    if (repeats === REPEATED_PAGES) throw samePages(number);
    const { readPage } = cursor;
    const pushed =
      before && cursor.count === null ? await pushedDown(page, { readPage, batched, floor }) : [];
    const rows = newRows([...pushed, ...(await ties.rowsOf(page))]);
    const end = cursor.pass(page);
    yield { rows, watermarkLimit: limit.at, count: end };
    if (until !== undefined && page.newest >= until) return;
    if (page.number === 1 || cursor.isAtEnd) return;
    before = page;
    if (cursor.count === null) number = page.number - 1;
    else number = cursor.joins(first) && pages.has(1) ? 1 : cursor.nextPage();
  }
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

function samePages(number: number): PollError {
  return new PollError(
    'LOG_UNREADABLE',
    `Reading pages ${number + REPEATED_PAGES} to ${number} of the activity log: all have the same rows, so the catalogue seems to ignore the page number. What was published stays published; the mark is at the last row published.`,
  );
}

/** Pages with longer texts are not kept while others are read, in UTF-16 units: a usual page has 50,000. */
const LONGEST_KEPT = 500_000;

/** Whether a page may be kept while others are read: many are, and their texts could fill the memory. */
export const isKept = ({ length }: LogPage): boolean => length <= LONGEST_KEPT;

/** A search for the page where the rows since an instant begin. */
interface FloorSearch {
  /** Null past the end. */
  readonly readPage: (number: number) => Promise<LogPage | null>;
  readonly first: LogPage;
  readonly floor: Instant;
  /** How many rows the log is expected to have since the floor; null where unknown. */
  readonly expected: number | null;
}

/** The page at which reading begins. */
interface FoundFloor {
  /** Number of a page that has rows older than the floor, or is the last. */
  readonly number: number;
  /** The pages that were read, by number; those with long texts are read again instead of kept. */
  readonly pages: Map<number, LogPage>;
}

/**
 * Finds the page of the floor. It starts where the floor is expected, else at page 2, and goes on in steps that
 * double. Then it halves the pages between. It requests no page past the end, unless the catalogue's count is wrong.
 */
export async function findFloor({ readPage, first, floor, expected }: FloorSearch): Promise<FoundFloor> {
  const pages = new Map([[1, first]]);
  const reachesFloor = async (number: number): Promise<boolean> => {
    const page = pages.get(number) ?? (await readPage(number));
    if (page && isKept(page)) pages.set(number, page);
    return !page || page.oldest < floor || !page.hasNext;
  };
  if (await reachesFloor(1)) return { number: 1, pages };

  const size = first.received.length;
  const last = first.count === null ? Number.POSITIVE_INFINITY : Math.ceil(first.count / size);
  let number = Math.max(2, Math.min(Math.floor((expected ?? 0) / size) + 1, last));
  let above = number - 1;
  for (let step = 1; !(await reachesFloor(number)); step *= 2) {
    above = number;
    number = number < last ? Math.min(number + step, last) : number + step;
  }
  return { number: await firstThat(reachesFloor, above, number), pages };
}

/** The first page after one that something holds for, up to one that it is known to hold for. */
export async function firstThat(
  holds: (number: number) => Promise<boolean>,
  above: number,
  below: number,
): Promise<number> {
  if (below - above <= 1) return below;
  const middle = Math.floor((above + below) / 2);
  return (await holds(middle)) ? firstThat(holds, above, middle) : firstThat(holds, middle, below);
}

interface CursorOptions {
  readonly first: LogPage;
  readonly numbers: RowNumbers;
  readonly readPage: (number: number) => Promise<LogPage | null>;
  /** Called where rows of the log vanished. */
  readonly onVanished: () => void;
}

/**
 * How far a reading of the log has come: by the numbers of its rows, or without a usable count by its pages alone. Starts below every
 * row of the log.
 */
function createLogCursor({ first, numbers, readPage, onVanished }: CursorOptions) {
  let { count } = first;
  /** The number of the first row that has not been read yet, while there is a count. */
  let next = Number.NEGATIVE_INFINITY;

  /** Whether no row is missing between the oldest row of a page and the rows that were read. */
  const joins = (page: LogPage): boolean => {
    const oldest = numbers.firstOf(page);
    return oldest !== null && oldest <= next;
  };

  return {
    /** Rows of the log; null once the catalogue's count is of no use. */
    get count() {
      return count;
    },
    /** The page at a number; null past the end. Rows that vanished meanwhile are taken into account. */
    async readPage(number: number): Promise<LogPage | null> {
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
    /** Whether a page goes on where the rows end that were read. */
    isFollowedBy(page: LogPage): boolean {
      const end = numbers.endOf(page);
      return end !== null && end > next && joins(page);
    },
    /** The page on which the first row lies that has not been read yet. */
    nextPage: () => (count === null ? 1 : numbers.pageOf(next, count)),
    /** Counts the rows of a page as read; returns the rows of the log up to its newest one, null where they are unknown. */
    pass(page: LogPage): number | null {
      const end = numbers.endOf(page);
      if (end === null) count = null;
      else next = Math.max(next, end);
      return count === null ? null : end;
    },
    /** Whether every row was read that the log has by its count. */
    get isAtEnd() {
      return count !== null && next >= count;
    },
    joins,
  };
}
