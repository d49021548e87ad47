import { earlier, type Instant, instantOf, later } from '../run/instant.ts';
import {
  type Bookkeeping,
  type OlderRows,
  type Position,
  readFloor,
  type Search,
} from '../store/position.ts';
import type { StateStore } from '../store/store.ts';
import type { LogPage, OlderCount } from './log-page.ts';
import type { SearchRequest } from './poll-options.ts';
import { type Publishing, publishRows } from './publish-rows.ts';
import { type Batch, findFloor, firstThat, isKept, rowsSince } from './read-back.ts';
import { publishedRows } from './unseen-rows.ts';

/** About how many pages one slice has. After each slice, the rows found are published and the position moves. */
const SLICE_PAGES = 10;

/** How often to search a slice whose ties may have rows that no page showed. */
const MOST_TRIES = 8;

interface Searching extends Publishing {
  readonly position: Position;
  readonly first: LogPage;
  readonly readPage: (number: number) => Promise<LogPage | null>;
  readonly counts: OlderCount;
  /** Pages that this poll may spend on the search; the slice under way is finished. */
  readonly pages: number;
}

/**
 * Searches the log before the overlap for rows that are not in the ledger, and publishes them as late. It goes from the
 * newest to the oldest until the pages of this poll are used up; the next poll goes on from there. Returns the position.
 */
export async function searchOlderRows(searching: Searching): Promise<Position> {
  const { now, run } = searching;
  let { position } = searching;
  let asked = 0;
  const readPage = (number: number): Promise<LogPage | null> => {
    asked += 1;
    return searching.readPage(number);
  };
  while (asked + SLICE_PAGES <= searching.pages) {
    const { search } = position;
    const goal = goalOf({ position, now });
    if (!search || goal === null) break;
    position = await searchSlice({ ...searching, position, readPage }, search, goal);
  }
  if (!isSearched(position)) return position;
  const { older, search } = position;
  const reachedBottom = (search?.until ?? 0n) <= bottomOf(position);
  const left = older?.surfaced ?? 0;
  const isExplained = left > 0 && (search?.explained || reachedBottom);
  if (isExplained) {
    run.log.info(
      'Rows that showed up in the log are older than the first row to be published, or equal to others',
      {
        rows: left,
      },
    );
  }
  return run.store.update(position, {
    older: older && { ...older, surfaced: isExplained ? 0 : left },
    search: null,
  });
}

/** Publishes the missing rows of the next slice, which begins after the rows that were searched before. */
async function searchSlice(searching: Searching, search: Search, goal: Instant): Promise<Position> {
  const { position: before, first, readPage, counts, run, report } = searching;
  const { until } = search;
  const { number, pages, floor } = await sliceOf(searching, search, goal);
  const seen = await run.store.ledger(floor);
  const published = publishedRows(seen);
  const batches = rowsSince({
    readPage,
    first,
    floor,
    until,
    bottom: { number, pages },
    seen,
    gap: null,
    expected: null,
    log: run.log,
  });
  const bottom = bottomOf(before);
  let found = 0;
  const missing = async function* (): AsyncGenerator<Batch> {
    for await (const { rows, ...batch } of batches) {
      published.show(rows);
      const unseen = rows.filter((row) => row.at >= bottom && row.at < until && !published.has(row));
      found += unseen.length;
      yield { ...batch, rows: unseen.map((row) => ({ ...row, late: true })) };
    }
  };
  const after = await publishRows(searching, {
    rows: missing(),
    position: before,
    mayWait: false,
    next: async (rows, { watermarkLimit, end }, position) => {
      const { mark, count, waits, gap, older } = position;
      const again = watermarkLimit !== null && search.tries < MOST_TRIES;
      const reached: Search = again
        ? { ...search, tries: search.tries + 1 }
        : { ...search, until: floor, older: counts.before(floor), tries: 0 };
      return {
        mark,
        count,
        waits,
        gap,
        older: older && { ...older, surfaced: Math.max(0, older.surfaced - rows.length) },
        search: end ? reached : search,
      };
    },
  });
  report.facts.found += found;
  return after;
}

interface Slice {
  /** The page with the oldest rows. */
  readonly number: number;
  /** Pages that were read already, by number. */
  readonly pages: Map<number, LogPage>;
  /** Rows at or after it are searched: those of this instant are all on these pages. */
  readonly floor: Instant;
}

/** The pages of the next slice. It reaches the goal, or ends between two instants. */
async function sliceOf({ first, readPage }: Searching, search: Search, goal: Instant): Promise<Slice> {
  const { until, older } = search;
  const expected = older === null || first.count === null ? null : first.count - older;
  const top = await findFloor({ readPage, first, floor: until, expected });
  const { pages } = top;
  const read = async (number: number): Promise<LogPage | null> => {
    const page = pages.get(number) ?? (await readPage(number));
    if (page && isKept(page)) pages.set(number, page);
    return page;
  };
  const reachesGoal = async (number: number): Promise<boolean> => {
    const page = await read(number);
    return !page || page.oldest < goal;
  };
  const size = first.received.length;
  let last =
    first.count === null ? Number.POSITIVE_INFINITY : Math.max(top.number, Math.ceil(first.count / size));
  for (let number = top.number + SLICE_PAGES - 1; ; number += SLICE_PAGES) {
    const [bottom, page] = await lastPageUpTo(Math.min(number, last), top.number, read);
    if (!page || page.oldest < goal)
      return { number: await firstThat(reachesGoal, top.number - 1, bottom), pages, floor: goal };
    if (!page.hasNext) return { number: bottom, pages, floor: goal };
    // The log has grown since it was counted.
    if (number >= last) last = Number.POSITIVE_INFINITY;
    // A page may end among the rows of one instant.
    const floor = later(goal, page.oldest + 1n);
    if (floor < until) return { number: bottom, pages, floor };
  }
}

type ReadPage = (number: number) => Promise<LogPage | null>;

/** The page of that number, or the last one of the log where it has fewer. */
async function lastPageUpTo(
  wanted: number,
  least: number,
  read: ReadPage,
): Promise<readonly [number: number, page: LogPage | null]> {
  for (let number = wanted; number >= least; number -= 1) {
    const page = await read(number);
    if (page) return [number, page];
  }
  return [least, null];
}

/** How far before the overlap a search goes whenever the number of older rows is not the expected one. */
const NEAR: Instant = instantOf(7 * 24 * 60 * 60 * 1000);

/** How long a search waits for a sweep, which may find the panel whose rows showed up. */
const WAIT_FOR_SWEEP: Instant = instantOf(2 * 60 * 60 * 1000);

interface Examined {
  readonly position: Position;
  /** The instant back to which this poll read every row. */
  readonly floor: Instant;
  /** The catalogue's own time. */
  readonly now: Instant;
  readonly counts: OlderCount;
}

/**
 * Rows that showed up before the overlap since the last count, less rows that vanished there. Null where there was no
 * count before, or where none is possible now.
 */
export async function differenceOf(
  { position: { older }, floor, counts }: Omit<Examined, 'now'>,
  store: Pick<StateStore, 'ledger'>,
): Promise<number | null> {
  if (!older) return null;
  const at = later(older.before, floor);
  const count = counts.before(at);
  if (count === null) return null;
  if (at === older.before) return count - older.count;
  // The mark moved without a count: rows were published in between, and are before the overlap now.
  const ledger = [...(await store.ledger(older.before)).values()];
  const published = ledger.filter((time) => time !== null && time >= older.before && time < at).length;
  return count - older.count - published;
}

/** The bookkeeping of a poll that has read the log to its end, with the mark that it advances to. */
export function bookkeepingAfter(
  difference: number | null,
  { mark, overlap, ...examined }: Examined & { readonly mark: Instant; readonly overlap: Instant },
): Bookkeeping {
  const { position, floor, counts } = examined;
  const { surfaced, vanished } = position.older ?? { surfaced: 0, vanished: 0 };
  const unexplained = {
    surfaced: surfaced + Math.max(0, difference ?? 0),
    vanished: vanished + Math.max(0, -(difference ?? 0)),
  };
  const countedAt = (before: Instant): OlderRows | null => {
    const count = counts.before(before);
    return count === null ? null : { before, count, ...unexplained };
  };
  const older = countedAt(readFloor({ ...position, mark }, overlap)) ?? countedAt(floor);
  const search = difference ? searchFrom(examined, {}) : position.search;
  return { older: older ?? position.older, search };
}

/** The bookkeeping once a sweep has asked for a search. */
export function bookkeepingOf(request: SearchRequest, examined: Examined): Bookkeeping {
  const { position, now } = examined;
  const { since, newPanels, explains } = request;
  const { older } = position;
  return {
    older: older && {
      ...older,
      ...(explains.more && !newPanels && { surfaced: 0 }),
      ...(explains.fewer && { vanished: 0 }),
    },
    search: searchFrom(examined, {
      ...(since !== null && { since }),
      ...(newPanels && { deeperFrom: now, explained: true }),
    }),
  };
}

/** A search that starts again before the overlap. It also covers what the search under way still has to cover. */
function searchFrom({ position, floor, now, counts }: Examined, wanted: Partial<Search>): Search | null {
  if (floor <= bottomOf(position)) return null;
  const { search } = position;
  const since = [floor - NEAR, wanted.since, search?.since].filter((at) => at !== undefined).reduce(earlier);
  return {
    until: floor,
    older: counts.before(floor),
    since,
    deeperFrom: wanted.deeperFrom ?? search?.deeperFrom ?? now + WAIT_FOR_SWEEP,
    explained: (wanted.explained ?? false) || (search?.explained ?? false),
    tries: 0,
  };
}

/** Rows before this instant were never published, or nothing shows whether they were. */
function bottomOf({ start, ledgerSince }: Position): Instant {
  return later(start, ledgerSince);
}

/** The instant back to which to search now; null where there is nothing to search at this time. */
export function goalOf({ position, now }: Pick<Examined, 'position' | 'now'>): Instant | null {
  const { search, older } = position;
  if (!search) return null;
  const bottom = bottomOf(position);
  const since = later(search.since, bottom);
  if (search.until > since) return since;
  const isMissingRows = (older?.surfaced ?? 0) > 0;
  return isMissingRows && search.until > bottom && now >= search.deeperFrom ? bottom : null;
}

/** Whether a search is complete: no later poll has to search further back. */
export function isSearched(position: Position): boolean {
  const { search, older } = position;
  if (!search) return false;
  const bottom = bottomOf(position);
  if (search.until > later(search.since, bottom)) return false;
  return (older?.surfaced ?? 0) === 0 || search.until <= bottom;
}
