import type { Clock } from '../lambdas/clock/clock.ts';
import type { History } from '../lambdas/history/history.ts';
import type { HistoryPages } from '../lambdas/history/sqlite-pages.ts';
import type { StateFile } from '../lambdas/state/sqlite-file.ts';
import type { LocalTimes } from './frame/local-times.ts';
import type { WatchRecord } from './watcher/watch-record.ts';

/** What a page is made from. */
export interface PageOptions {
  readonly file: StateFile;
  readonly clock: Clock;
  /** The reader's time zone, such as `Europe/London`. */
  readonly zone: string;
  /** Ends the live streams. */
  readonly signal: AbortSignal;
  /** What the watcher of this process did; absent where none runs. */
  readonly record?: WatchRecord;
}

/** What every route of the page uses. */
export interface RouteContext extends PageOptions {
  readonly history: History;
  readonly pages: HistoryPages;
  readonly times: LocalTimes;
}
