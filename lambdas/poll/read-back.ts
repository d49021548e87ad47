import { type LogRow, oldestFirst, withoutCopies } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Gap } from '../store/position.ts';
import { type FloorSearch, type FoundFloor, findFloor } from './find-floor.ts';
import { createLogCursor } from './log-cursor.ts';
import type { LogPage } from './log-page.ts';
import { haveSameRows } from './page-reader.ts';
import { PollError } from './poll-error.ts';
import { createRowNumbers } from './row-numbers.ts';
import { createTieReader } from './tie-reader.ts';
import { createWatermarkLimit } from './watermark-limit.ts';

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
