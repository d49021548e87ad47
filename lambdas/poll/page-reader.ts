import type { Catalogue } from '../catalogue/client.ts';
import type { Clock } from '../clock/clock.ts';
import { type LogPage, logPage } from './log-page.ts';
import { PollError } from './poll-error.ts';

/** Reads pages of the log within the limits of one poll. */
export interface PageReader {
  /**
   * A page by its number, from 1; null past the end.
   * @throws {PollError} `REQUEST_BUDGET_SPENT` or `LOG_UNREADABLE`, when the catalogue ignores the page number.
   * @throws {OutOfTime} when the deadline is near.
   */
  read(number: number): Promise<LogPage | null>;
}

/** The time of this poll is over. What was published stays published, and the next poll goes on. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

interface PageReaderOptions {
  readonly catalogue: Pick<Catalogue, 'activities'>;
  readonly clock: Clock;
  /** Milliseconds since the epoch after which no page is asked for. */
  readonly deadline?: number | undefined;
}

/** A poll may ask for each page this often, which leaves room for rows that move while it reads. */
const READS_PER_PAGE = 3;
/** And for this many pages more: a search for the oldest page, or a short log that moves. */
const SPARE_READS = 50;

/** Reads pages for one poll; the limits begin anew with each reader. */
export function createPageReader({ catalogue, clock, deadline }: PageReaderOptions): PageReader {
  let first: LogPage | null = null;
  let requests = 0;
  let budget = SPARE_READS;

  const ask = async (number: number): Promise<LogPage | null> => {
    if (deadline !== undefined && clock.now() >= deadline) throw new OutOfTime();
    if (requests >= budget) throw budgetSpent(requests, first);
    requests += 1;
    const received = await catalogue.activities(number);
    const page = received && logPage(received);
    if (number === 1) first ??= page;
    if (page && first) {
      // Without a count, a page that is there says that there are so many.
      const pages = page.count === null ? number : page.count / first.received.length;
      budget = Math.max(budget, SPARE_READS + Math.ceil(READS_PER_PAGE * pages));
    }
    return page;
  };

  return {
    async read(number) {
      const page = await ask(number);
      if (!page || !first || !looksLikeFirst(page, first)) return page;
      // So may a page of a log that moves, but not directly after page 1.
      first = (await ask(1)) ?? first;
      const again = await ask(number);
      if (!again || !looksLikeFirst(again, first)) return again;
      throw new PollError(
        'LOG_UNREADABLE',
        `Reading page ${number} of the activity log: it has the rows of page 1, so the catalogue seems to ignore the page number. What was published stays published; the mark is at the last row published. Does something between you and the catalogue, such as a cache, drop "?page="?`,
      );
    },
  };
}

/** Whether a later page has rows that, with the number of rows added since, only page 1 can have. */
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

function budgetSpent(requests: number, first: LogPage | null): PollError {
  const size = first
    ? `${first.count ?? 'an unknown number of'} rows, ${first.received.length} a page`
    : 'unknown';
  return new PollError(
    'REQUEST_BUDGET_SPENT',
    `Reading the activity log: this poll has asked for ${requests} pages, more than the size of the log allows (${size}). What was published stays published, and the next poll goes on from there. If every poll ends so, the log moves faster than it can be read, or the catalogue's count is wrong.`,
  );
}
