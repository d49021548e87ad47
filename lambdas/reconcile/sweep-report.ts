import type { Catalogue } from '../catalogue/client.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { SearchRequest } from '../poll/poll-options.ts';
import type { PollReport } from '../poll/report.ts';
import type { Message } from '../publishing/message.ts';
import type { Log } from '../run/log.ts';
import type { History } from '../store/history/history.ts';
import type { StateStore } from '../store/store.ts';
import type { FindingRun } from './publish-found.ts';
import type { SignOffReport } from './read-sign-offs.ts';

/** Pages that a poll of the log may spend, in a sweep, on rows that were written while a panel was hidden. */
export const searchPagesOfSweep = 60;

/** Pages of both listings that a sweep may ask for; where they have more, the next sweep goes on. */
export const listingRequestsOfSweep = 60;

/** Polls the log. `request` is the search before the overlap; null for none. */
type ReadLog = (request: SearchRequest | null) => Promise<LogReading>;

interface LogReading {
  /** Whether it was read to its end; nothing is published from the listings otherwise. */
  readonly complete: boolean;
  /** Whether a search for rows that showed up goes on: it may find rows of panels that came back. */
  readonly searching: boolean;
}

function readingOf({ outcome, searching, waiting }: PollReport): LogReading {
  const ended = outcome === 'quiet' || outcome === 'published' || outcome === 'begun';
  // A row that waits for its paired row is not published yet.
  return { complete: ended && waiting === 0, searching };
}

interface LogOfSweep {
  readonly store: Pick<StateStore, 'load'>;
  /** Polls the log with a search that the sweep asks for. */
  readonly poll: (request: SearchRequest | null) => Promise<PollReport>;
  readonly log: Log;
}

/**
 * Reads the log by a poll. A catalogue that no poll has begun is not read: where it begins is for a poll to decide, by
 * the settings, and for good.
 */
export function createReadLog({ store, poll, log }: LogOfSweep): ReadLog {
  return async (request) => {
    if (await store.load(0n)) return readingOf(await poll(request));
    log.warn('The log was not read: no poll has begun with this catalogue. Run a poll first.');
    return { complete: false, searching: false };
  };
}

/** What one sweep of one catalogue needs. */
export interface SweepOptions extends FindingRun {
  readonly catalogue: Catalogue;
  /** Returns the events that rows of a panel gave, and keeps what the sweep publishes. */
  readonly history: Pick<History, 'append' | 'find'>;
  /** What the poller published and knows: a sweep follows its events, and teaches it what the listings show. */
  readonly state: Pick<StateStore, 'load' | 'listing' | 'saveListing' | 'published' | 'silent' | 'learn'>;
  /** Returns ids of entities and signed-off versions; absent where no states of panels are kept. */
  readonly states?: Pick<PanelStateStore, 'newest' | 'signOffs'>;
  /** Reads the activity log to its end and publishes its rows: a change that has a row is reported from the log. */
  readonly readLog: ReadLog;
  /** A listing that lost more of its panels or regions than this, in percent, is not trusted. */
  readonly shrunkenPercent: number;
  /** Where more of the panels than this, in percent, have the same kind of change, it waits for a later sweep. */
  readonly sameChangePercent: number;
  /** Whether a person accepts what the listings show: then nothing waits. */
  readonly accept?: boolean;
  /** Pages of both listings that it may ask for; `listingRequestsOfSweep` where absent. */
  readonly listingRequests?: number;
  /** Milliseconds since the epoch after which no further page is asked for, and no further chunk is begun. */
  readonly deadline?: number;
}

/**
 * Why nothing is published from a listing. `incomplete`, `empty`: it says nothing. `shrunken`: many stored panels or regions
 * are missing. `renumbered`: many stored panels have other ids. `mass-change`: many panels have the same kind of change.
 * `outdated`: it lists a version that began before the one that was listed earlier.
 */
export type Refusal = 'incomplete' | 'empty' | 'shrunken' | 'renumbered' | 'mass-change' | 'outdated';

/** How many panels have a change of one kind, such as `panel.changed types`. */
export interface MassChange {
  readonly kind: string;
  readonly panels: number;
}

/**
 * How a sweep ended. `baseline`: the first one, which only stores the listing. `explained`: the log explains every
 * difference. `refused`: the listing could not be trusted. `log-unread`: the log could not be read to its end,
 * so that the differences wait for the next sweep. `interrupted`: the listings have more pages than one sweep may ask
 * for, and the next one goes on from there. `postponed`: the catalogue asks to wait, until `notBefore`.
 */
export type SweepOutcome =
  | 'baseline'
  | 'quiet'
  | 'explained'
  | 'published'
  | 'refused'
  | 'log-unread'
  | 'interrupted'
  | 'out-of-time'
  | 'postponed';

/** What a sweep did. */
export interface SweepReport {
  readonly outcome: SweepOutcome;
  readonly panels: number;
  readonly regions: number;
  /** Panels that differ from the stored listing. */
  readonly changedPanels: number;
  /** Of these, panels whose differences wait: their rows showed up meanwhile, or are searched because they came back. */
  readonly awaitedPanels: number;
  /** The daily count of panel versions since the baseline, where this sweep counted; else null. */
  readonly completeness: { readonly versions: number; readonly explained: number } | null;
  /** Events accepted, by type. */
  readonly events: Readonly<Record<string, number>>;
  /** Why the listing, or the list of signed-off versions, was not trusted; null where both were. */
  readonly refusal: Refusal | 'sign-offs' | null;
  /** What the list of signed-off versions came to; null where it was not read. */
  readonly signOffs: SignOffReport | null;
  /** The kinds of change that too many panels have, where these wait. */
  readonly massChanges: readonly MassChange[];
  /** Where it was postponed, until when, in milliseconds since the epoch. */
  readonly notBefore: number | null;
}

/** The report of a sweep with what the list of signed-off versions, which is read after it, came to. */
export const withSignOffs = (report: SweepReport, signOffs: SignOffReport): SweepReport => ({
  ...report,
  signOffs,
  refusal: report.refusal ?? (signOffs.outcome === 'refused' ? 'sign-offs' : null),
});

/** A sweep while it goes on. */
export interface SweepRun extends SweepOptions {
  readonly report: ReturnType<typeof createSweepReport>;
}

/** An empty report, to be filled. */
export function createSweepReport() {
  const events: Record<string, number> = {};
  let report: SweepReport = {
    outcome: 'quiet',
    panels: 0,
    regions: 0,
    changedPanels: 0,
    awaitedPanels: 0,
    completeness: null,
    events,
    refusal: null,
    signOffs: null,
    massChanges: [],
    notBefore: null,
  };
  return {
    note(known: Partial<SweepReport>): void {
      report = { ...report, ...known };
    },
    published(messages: readonly Message[]): void {
      for (const { attributes } of messages) {
        const type = attributes.type?.value ?? 'unknown';
        events[type] = (events[type] ?? 0) + 1;
      }
    },
    end: (
      outcome: SweepOutcome,
      refusal: Refusal | null = null,
      massChanges: readonly MassChange[] = [],
    ): SweepReport => ({ ...report, outcome, refusal, massChanges }),
  };
}
