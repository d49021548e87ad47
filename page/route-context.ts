import type { PanelStateStore } from '../lambdas/panels/panel-state-store.ts';
import type { KeptOfCatalogue } from '../lambdas/panels/sqlite-panel-states.ts';
import type { PollReport } from '../lambdas/poll/report.ts';
import type { CaseInput } from '../lambdas/questions/impact/read-cases.ts';
import type { AsOf, Times } from '../lambdas/questions/question.ts';
import type { WorklistStore } from '../lambdas/questions/worklist/worklist-record.ts';
import type { WorklistSettings } from '../lambdas/questions/worklist/worklist-settings.ts';
import type { SweepReport } from '../lambdas/reconcile/sweep-report.ts';
import type { Clock } from '../lambdas/run/clock.ts';
import { type Instant, millisecondsOf } from '../lambdas/run/instant.ts';
import type { History, HistoryQuery } from '../lambdas/store/history/history.ts';
import type { ReadPart } from '../lambdas/store/history/read-part.ts';
import type { namedPlaceOf } from '../lambdas/store/history/sqlite.ts';
import type { HistoryPages } from '../lambdas/store/history/sqlite-pages.ts';
import type { StateFile } from '../lambdas/store/sqlite-file.ts';
import type { Counter } from './changes/counts.ts';
import type { Html, LocalTimes, Moment } from './html.ts';
import type { PageNames } from './names.ts';
import type { Visitor } from './sign-in/access.ts';
import type { AuditLog, PersonalNotes } from './sign-in/people-file.ts';
import type { ProgramTokens } from './sign-in/sessions.ts';

/** The time of the newest event in the history; null for an empty one. */
export function newestTime(pages: HistoryPages): string | null {
  const [newest] = pages.page({}, { size: 1, examined: 1 }).events;
  return newest ? new Date(millisecondsOf(newest.at)).toISOString() : null;
}

/** What a page is made from. */
export interface PageOptions {
  readonly file: StateFile;
  readonly clock: Clock;
  /** The reader's time zone, such as `Europe/London`. */
  readonly zone: string;
  /** Ends the live streams. */
  readonly signal: AbortSignal;
  /** The folder of what browsers load; that of this code where absent. */
  readonly browserFiles?: URL;
  /** Whether a response cannot stay open: then a live stream ends after one look, and browsers ask again in a minute. */
  readonly endsStreams?: boolean;
  /** Makes what the views show ready before each of them; returns what answers in place of a view that is not ready. */
  readonly prepare?: (path: string) => Promise<Response | null>;
  /** What the watcher of this process did; absent where none runs. */
  readonly record?: WatchRecord;
  /** The deployed stage whose copy the file holds; absent where the file is that of a local run. */
  readonly deployed?: DeployedPlace;
  /** Which worklist is shown: that of the file, by the usual settings, where absent; null where there is none. */
  readonly worklist?: PageWorklist | null;
  /** Where decisions are noted; absent without a sign-in. */
  readonly audit?: Pick<AuditLog, 'write'>;
  /** The cases that entries of the worklist are counted in, read anew for each view; absent where the page has none. */
  readonly cases?: CaseInput;
  /** The most bytes of a file of cases with its form; 16 MB where absent. */
  readonly largestUpload?: number;
  /** What is kept for each person; absent without a sign-in. */
  readonly notes?: PersonalNotes;
  /** The address of the relay that runs beside the page; null, or absent, where none does. */
  readonly relay?: () => string | null;
  /** The tokens of programs; absent without a sign-in. */
  readonly tokens?: ProgramTokens;
  /** The content of the file that says which panels of two catalogues belong together; null, or absent, where none does. */
  readonly pairs?: (one: string, other: string) => string | null;
}

interface PageWorklist {
  readonly store: WorklistStore;
  readonly settings: WorklistSettings;
}

/** In a few words: whether the log is being read. */
export interface StatusWords {
  readonly state: 'live' | 'failing' | 'waiting' | 'still';
  readonly text: string;
  /** When the log was last read, in milliseconds since the epoch; null where unknown. */
  readonly readAt: number | null;
}

/** What every route of the page uses. */
export interface RouteContext extends Omit<PageOptions, 'worklist'> {
  /** Null where there is none. */
  readonly worklist: PageWorklist | null;
  /** Up to the last poll, read so that polls and other requests of this process go on meanwhile. */
  readonly history: History;
  readonly pages: HistoryPages;
  readonly times: LocalTimes;
  /** The earlier time at which all of this is shown; absent for the present. */
  readonly asOf?: AsOf;
  /**
   * Answers a request at the time that its address asks for.
   * @param times how the address writes days; as the reader does where absent
   * @throws {AddressError} when what was kept then is unknown
   */
  inTime(
    address: string,
    answer: (then: RouteContext) => Promise<Response>,
    times?: Times,
  ): Promise<Response>;
  visitor(): Visitor;
  /** When the answer is made, and how its times are written. */
  moment(): Moment;
  status(): StatusWords;
  /** Names of the catalogues that the history holds. */
  catalogues(): Promise<readonly string[]>;
  /** Names of the catalogues that are followed, also before the first event. */
  followed(): Promise<readonly string[]>;
  /** The history, and where its names are looked up. */
  readonly place: ReturnType<typeof namedPlaceOf>;
  readonly counter: Counter;
  names(): Promise<PageNames>;
  /** What of a period was read, by catalogue. */
  readParts(period: Pick<HistoryQuery, 'catalogue' | 'since' | 'until'>): Promise<readonly ReadPart[]>;
  /** What the panels of a catalogue held, at each version that was read. */
  states(catalogue: string): PanelStateStore;
  /** A view within the frame of all views. */
  answer(content: PageContent, code?: number): Promise<Response>;
  /** A notice in place of a view, with a link to all changes. */
  refuse(title: string, sentence: string | Html, code: number): Promise<Response>;
}

/** The content of one page within the frame of all pages. */
export interface PageContent {
  readonly title: string;
  /** The name of the entry of the menu that is current. */
  readonly current: string;
  readonly main: Html;
  /** The text in the search field of the header. */
  readonly words?: string;
  /** The address that the search starts from, without its words. */
  readonly hidden?: readonly (readonly [name: string, value: string])[];
  /** The address of the events that are new since the page was made. */
  readonly live?: string;
  readonly bodyClass?: string;
  /** Where a keyboard goes to from the first links of the page; the begin of the content where absent. */
  readonly skips?: readonly (readonly [address: string, words: string])[];
}

/** A poll or a sweep that ended, and how. */
export type Run = {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  readonly requests: number;
} & (
  | { readonly kind: 'poll'; readonly report: PollReport }
  | { readonly kind: 'sweep'; readonly report: SweepReport }
  | { readonly kind: 'failed poll' | 'failed sweep'; readonly message: string }
);

/** What the watcher of this process did lately. It is kept in memory only. */
export interface WatchRecord {
  /** When the watcher started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Seconds from poll to poll. */
  readonly every: number;
  /** Newest first. */
  runs(): readonly Run[];
  /** Requests to the catalogue since the start. */
  readonly requests: number;
}

/** How the copy of a stage is. */
export interface CopyState {
  /** When the stage was last read without an error, in milliseconds since the epoch. */
  readonly at: number;
  /** Why the reading after that failed, for a person; null where it did not. */
  readonly problem: string | null;
}

/** What is kept of a catalogue, where the page reads it. */
export type KeptInPlace = Pick<KeptOfCatalogue, 'catalogue' | 'state' | 'documents'>;

/** A deployed stage, whose history and newest panels the page's file holds as a copy. */
export interface DeployedPlace {
  /** Its name in the settings. */
  readonly stage: string;
  readonly catalogues: readonly string[];
  /** What its tables keep of each catalogue. */
  readonly kept: readonly KeptInPlace[];
  /** What the panels of a catalogue held, at each version. */
  states(catalogue: string): PanelStateStore;
  copied(): CopyState;
  /** Events of this time or later that the copy takes in are new; older ones may only be copied later. */
  newSince(): Instant;
}
