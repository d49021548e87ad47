import { type LogRow, oldestFirst } from '../catalogue/log-row.ts';
import { earlier, type Instant } from '../clock/instant.ts';
import type { Log } from '../log/log.ts';
import type { LogPage } from './log-page.ts';
import { PollError } from './poll-error.ts';

/**
 * Reads the log back to an instant and gives its rows oldest first. The log is newest first, and nothing in
 * it is a snapshot: rows added while it is read push others to the next page, where they are met twice; rows
 * that vanish pull others up, where they are missed; rows of one microsecond come in another order with each
 * request. `count` and rows met twice betray all three.
 */

/** Rows, oldest first. */
export interface Batch<Row = LogRow> {
  readonly rows: readonly Row[];
  /** The instant that the mark must not pass, because rows may have been missed there; null for no limit. */
  readonly watermarkLimit: Instant | null;
}

export interface Reading {
  /** Null past the end. */
  readonly readPage: (number: number) => Promise<LogPage | null>;
  readonly first: LogPage;
  readonly floor: Instant;
  readonly log: Log;
}

/** So many pages are read and kept together; beyond, the log is read page by page from its old end. */
const PAGES_TOGETHER = 5;
/** A walk over pages that do not fit together is repeated so often. */
const WALKS = 2;

/** All rows at or after `floor`, in batches, oldest first; a row may be met again in a later batch. */
export async function* rowsSince(reading: Reading): AsyncGenerator<Batch> {
  const { floor } = reading;
  const together = await readTogether(reading);
  if (together) yield batchOf(together.rows, floor, together.watermarkLimit);
  else yield* readFromOldEnd(reading);
}

function batchOf(rows: ReadonlyMap<string, LogRow>, floor: Instant, watermarkLimit: Instant | null): Batch {
  return { rows: [...rows.values()].filter(({ at }) => at >= floor).sort(oldestFirst), watermarkLimit };
}

interface Together {
  readonly rows: ReadonlyMap<string, LogRow>;
  readonly watermarkLimit: Instant | null;
}

/** Pages from the newest down to the floor; null where they are too many. */
async function readTogether({ readPage, first, floor, log }: Reading): Promise<Together | null> {
  const rows = new Map<string, LogRow>();
  for (let walk = 1; ; walk++) {
    const pages: LogPage[] = [];
    for (let number = 1; ; number++) {
      const page = number === 1 && walk === 1 ? first : await readPage(number);
      if (!page) break;
      pages.push(page);
      for (const row of page.rows) rows.set(row.key, row);
      if (page.oldest < floor || !page.hasNext) break;
      if (number === PAGES_TOGETHER) return null;
    }
    if (fitTogether(pages)) return { rows, watermarkLimit: null };
    if (walk === WALKS) {
      const watermarkLimit = pages.at(-2)?.oldest ?? first.oldest;
      log.warn('The pages of the log do not fit together; the mark waits where a row may be missing', {
        pages: pages.length,
        counts: pages.map(({ count }) => count),
      });
      return { rows, watermarkLimit };
    }
  }
}

/** Whether no row can have been missed between pages that were read one after the other. */
function fitTogether(pages: readonly LogPage[]): boolean {
  const keys = pages.flatMap(({ rows }) => rows.map(({ key }) => key));
  const metTwice = keys.length - new Set(keys).size;
  const grown = (pages.at(-1)?.count ?? 0) - (pages[0]?.count ?? 0);
  const tied = pages.some((page, index) => page.oldest === pages[index + 1]?.newest);
  // Rows of one instant change places with each request, which rows that were added would hide.
  return tied ? grown === 0 && metTwice === 0 : grown >= 0 && metTwice <= grown;
}

/** Page by page from the one that holds the floor up to the newest. */
async function* readFromOldEnd(reading: Reading): AsyncGenerator<Batch> {
  const met = new Set<string>();
  let before: LogPage | null = null;
  let repeats = 0;
  for (let number = await pageOfFloor(reading); number >= 1; number--) {
    const page = await reading.readPage(number);
    if (!page) continue;
    repeats = before && sameRows(page, before) ? repeats + 1 : 0;
    if (repeats === REPEATED_PAGES) {
      throw new PollError(
        'LOG_UNREADABLE',
        `Reading pages ${number + repeats} to ${number} of the activity log: all have the same rows, so that the catalogue seems not to turn its pages. What was told stays told; the mark is at the last row told.`,
      );
    }
    const { pages, watermarkLimit } = await whatWasPushedBelow(page, { before, met, reading });
    before = page;
    const fresh = new Map<string, LogRow>();
    for (const row of pages.flatMap(({ rows }) => rows)) {
      if (!met.has(row.key)) fresh.set(row.key, row);
    }
    for (const key of fresh.keys()) met.add(key);
    yield batchOf(fresh, reading.floor, watermarkLimit);
  }
}

function sameRows(one: LogPage, other: LogPage): boolean {
  const keys = new Set(other.rows.map(({ key }) => key));
  return one.rows.length === keys.size && one.rows.every(({ key }) => keys.has(key));
}

interface Before {
  /** The page read before, one further from the newest. */
  readonly before: LogPage | null;
  readonly met: ReadonlySet<string>;
  readonly reading: Reading;
}

/** A page, with those below it that have got rows since they were read. */
async function whatWasPushedBelow(
  page: LogPage,
  { before, met, reading: { readPage, floor, log } }: Before,
): Promise<{ pages: LogPage[]; watermarkLimit: Instant | null }> {
  const pages = [page];
  /** Reads on below until rows older than this are met, or nothing new. */
  const readDownTo = async (reached: Instant): Promise<void> => {
    const keys = new Set(page.rows.map(({ key }) => key));
    for (let last = page; last.oldest >= reached && last.hasNext; ) {
      const below = await readPage(page.number + pages.length);
      if (!below) return;
      pages.push(below);
      const known = keys.size;
      for (const { key } of below.rows) keys.add(key);
      if (keys.size === known) return;
      last = below;
    }
  };
  const grown = before && (page.count === null || before.count === null ? null : page.count - before.count);
  const repeated = page.rows.some(({ key }) => met.has(key));
  // Rows were added since the floor was looked for, and have pushed it down.
  if (!before) await readDownTo(floor);
  else if (grown === null || grown > 0 || (grown === 0 && repeated)) await readDownTo(before.newest);
  const watermarkLimit = tieOf(
    before && pages.length === 1 ? [page, before] : pages,
    grown === 0 && !repeated,
  );
  if (watermarkLimit === null) return { pages, watermarkLimit };
  log.warn('Rows of one instant lie across two pages of the log; the mark waits there', {
    page: page.number,
  });
  for (const again of [await readPage(page.number), await readPage(page.number + 1)])
    if (again) pages.push(again);
  return { pages, watermarkLimit };
}

/** The oldest instant whose rows lie across two of these pages; null where there is none, or no row moved. */
function tieOf(pages: readonly LogPage[], still: boolean): Instant | null {
  const ties = pages.flatMap((page, index) =>
    page.oldest === pages[index + 1]?.newest ? [page.oldest] : [],
  );
  return still || ties.length === 0 ? null : ties.reduce(earlier);
}

/** So many pages in a row are not the same by chance. */
const REPEATED_PAGES = 4;

/** Number of a page that reaches the floor, and no later one than needed: doubled, then halved. */
async function pageOfFloor({ readPage, floor }: Reading): Promise<number> {
  const reaches = async (number: number): Promise<boolean> => {
    const page = await readPage(number);
    return !page || page.oldest < floor || !page.hasNext;
  };
  let above = PAGES_TOGETHER;
  let below = above * 2;
  while (below < MOST_PAGES && !(await reaches(below))) {
    above = below;
    below *= 2;
  }
  while (below - above > 1) {
    const middle = Math.floor((above + below) / 2);
    if (await reaches(middle)) below = middle;
    else above = middle;
  }
  return below;
}

/** No log is longer; a catalogue that answers any page number must not be asked for ever. */
const MOST_PAGES = 1_000_000;
