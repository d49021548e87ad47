import { isPlaced } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';
import type { LogPage } from './log-page.ts';

/** Counts the rows of the log that are older than an instant, from the pages that a poll reads. */
export interface OlderCount {
  /** Adds a page that was read. */
  add(page: LogPage): void;
  /**
   * How many rows are older; null where no page shows it. The number comes from one response alone, because the log
   * may change between two requests.
   */
  before(at: Instant): number | null;
}

interface CountedPage {
  readonly number: number;
  /** The number of its oldest row, from the oldest row of the log. */
  readonly first: number;
  /** The times of its rows, newest first; NaN for a row without a usable time. */
  readonly times: readonly number[];
  readonly isLast: boolean;
}

/** A count without any page yet. */
export function createOlderCount(): OlderCount {
  const pages = new Map<number, CountedPage>();
  let pageSize: number | null = null;
  return {
    add(page) {
      pageSize ??= page.number === 1 ? page.received.length : null;
      if (page.count === null || pageSize === null) return;
      const first = page.count - (page.number - 1) * pageSize - page.received.length;
      const times = page.received.map((row) => Number(isPlaced(row) ? row.at : Number.NaN));
      // The page that was read last is last in the map.
      pages.delete(page.number);
      pages.set(page.number, { number: page.number, first, times, isLast: !page.hasNext });
    },
    before(at) {
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
