import type { Clock } from '../lambdas/clock/clock.ts';
import type { History } from '../lambdas/history/history.ts';
import type { HistoryPages } from '../lambdas/history/sqlite-pages.ts';
import type { StateFile } from '../lambdas/state/sqlite-file.ts';
import type { Html } from './frame/html.ts';
import type { PageContent } from './frame/layout.ts';
import type { LocalTimes, Moment } from './frame/local-times.ts';
import type { WatchRecord } from './watcher/watch-record.ts';
import type { StatusWords } from './watcher/watcher-view.ts';

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
  /** When the answer is made, and how its times are written. */
  moment(): Moment;
  /** Whether and when the log was read. */
  status(): StatusWords;
  /** Names of the catalogues that the history holds. */
  catalogues(): Promise<readonly string[]>;
  /** A view within the frame of all views. */
  answer(content: PageContent, code?: number): Promise<Response>;
  /** A notice in place of a view, with a link to all changes. */
  refuse(title: string, sentence: string | Html, code: number): Promise<Response>;
}
