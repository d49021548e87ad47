import type { Catalogue } from '../catalogue/client.ts';
import type { Clock } from '../run/clock.ts';
import { type LogPage, logPage, placedAt } from './log-page.ts';

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
