import type { ActivityPage, Catalogue } from '../catalogue/client.ts';
import { isPlaced, type LogRow, lengthOf, readEachLogRow, withoutCopies } from '../catalogue/log-row.ts';
import type { Clock } from '../run/clock.ts';
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

/** Reads pages of the log. */
export type PageReader = ReturnType<typeof createPageReader>;

/** The time of this poll is used up. What was published stays published, and the next poll goes on. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

interface PageReaderOptions {
  readonly catalogue: Pick<Catalogue, 'activities'>;
  readonly clock: Clock;
  /** Milliseconds since the epoch after which no page is asked for. */
  readonly deadline?: number | undefined;
}

/** How often a poll may request each page: rows may move to other pages while it reads. */
const READS_PER_PAGE = 3;
/** Further requests of a poll: to find the oldest page, or for a short log whose rows move. */
const SPARE_READS = 50;
/** The most older pages that are read to find out whether the catalogue gives invalid rows only. */
const COMPARED_PAGES = 10;

/** So often in a row at most, a page of one tie has the rows of page 1 by chance. */
const MAX_DRAWS = 6;

/** Reads pages of the log within the limits of one poll, which begin anew with each reader. */
export function createPageReader({ catalogue, clock, deadline }: PageReaderOptions) {
  let first: LogPage | null = null;
  let requests = 0;
  let budget = SPARE_READS;
  let hasActivities = false;

  const ask = async (number: number): Promise<LogPage | null> => {
    if (deadline !== undefined && clock.now() >= deadline) throw new OutOfTime();
    if (requests >= budget) throw budgetSpent(requests, first);
    requests += 1;
    const received = await catalogue.activities(number);
    const page = received && logPage(received);
    hasActivities ||= page !== null && page.problem === null;
    const size = (first ?? page)?.received.length ?? 1;
    if (page) {
      // Without a count, the log has at least as many pages as the number of this one.
      const pages = page.count === null ? number : page.count / size;
      budget = Math.max(budget, SPARE_READS + Math.ceil(READS_PER_PAGE * pages));
    }
    return page;
  };

  /** A page by its number, and not page 1 from a catalogue or cache that ignores the number. */
  const askForOwnRows = async (number: number): Promise<LogPage | null> => {
    const page = await ask(number);
    if (!page || !first || !looksLikeFirst(page, first)) return page;
    // A page of a log that moves may look so too, but not directly after page 1. A tie is ordered anew for each request.
    for (let times = page.oldest === page.newest ? MAX_DRAWS : 1; times > 0; times -= 1) {
      const newer = await ask(1);
      if (newer && newer.newest > 0n) first = newer;
      const again = await ask(number);
      if (!again || !looksLikeFirst(again, first)) return again;
    }
    throw new PollError(
      'LOG_UNREADABLE',
      `Reading page ${number} of the activity log: it has the rows of page 1, so the catalogue seems to ignore the page number. What was published stays published; the mark is at the last row published. Does something between you and the catalogue, such as a cache, drop "?page="?`,
    );
  };

  /** A page of invalid rows. Where none has a usable time, all get that of the next older page that has one. */
  const compareWithOlder = async (page: LogPage): Promise<LogPage> => {
    let older: LogPage | null = page;
    for (let pages = 0; pages < COMPARED_PAGES && older?.hasNext; pages++) {
      if (hasActivities && older.newest > 0n) break;
      older = await ask(older.number + 1);
    }
    if (!hasActivities) throw noActivity(page);
    if (page.newest > 0n || !page.hasNext) return page;
    if (!older || older.newest === 0n) throw noActivity(page);
    return placedAt(page, older.newest);
  };

  return {
    /**
     * A page by its number, from 1; null past the end.
     * @throws {PollError} `REQUEST_BUDGET_SPENT` when this poll has requested more pages than the log allows
     * @throws {PollError} `LOG_UNREADABLE` when the catalogue ignores the page number, or when neither this page, nor one
     *   read before, nor the next ones have an activity
     * @throws {OutOfTime} when the deadline is near
     */
    async read(number: number): Promise<LogPage | null> {
      const page = await askForOwnRows(number);
      const placed = page && page.problem !== null ? await compareWithOlder(page) : page;
      if (number === 1) first ??= placed;
      return placed;
    },
  };
}

/** Whether a later page has rows that only page 1 can have, given how many rows were added since. */
function looksLikeFirst(page: LogPage, first: LogPage): boolean {
  const added = page.count === null || first.count === null ? 0 : page.count - first.count;
  if (page.number === 1 || added >= first.received.length * (page.number - 1)) return false;
  return page.newest > first.newest || haveSameRows(page, first);
}

/** Whether two pages have the same rows, in any order. */
export function haveSameRows(one: LogPage, other: LogPage): boolean {
  const keys = new Set(other.rows.map(({ key }) => key));
  return one.rows.length === keys.size && one.rows.every(({ key }) => keys.has(key));
}

function noActivity({ number, received, problem }: LogPage): PollError {
  return new PollError(
    'LOG_UNREADABLE',
    `Reading page ${number} of the activity log: none of its ${received.length} rows is an activity, and neither are those of the pages after it (the first: ${problem}). Nothing was published from it and the mark stays before it. Has the interface changed?`,
  );
}

function budgetSpent(requests: number, first: LogPage | null): PollError {
  const size = first
    ? `${first.count ?? 'an unknown number of'} rows, ${first.received.length} a page`
    : 'unknown';
  return new PollError(
    'REQUEST_BUDGET_SPENT',
    `Reading the activity log: this poll has asked for ${requests} pages, more than the size of the log allows (${size}). What was published stays published, and the next poll continues from there. If every poll ends this way, the log grows faster than a poll can read it, or the catalogue's count is wrong.`,
  );
}

type PollErrorCode =
  | 'CATALOGUE_CHANGED'
  | 'LOG_EMPTY'
  | 'LOG_UNREADABLE'
  | 'REQUEST_BUDGET_SPENT'
  | 'START_WRONG';

/** The log cannot be read on; the mark is unchanged. */
export class PollError extends Error {
  override readonly name = 'PollError';
  readonly code: PollErrorCode;

  constructor(code: PollErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
