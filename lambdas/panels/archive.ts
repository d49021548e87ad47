import type { Catalogue } from '../catalogue/client.ts';
import { CatalogueError } from '../catalogue/http/access.ts';
import type { Condition } from '../catalogue/http/service-error.ts';
import { panelDetailSchema } from '../catalogue/schemas.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../run/clock.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Documents } from '../store/documents.ts';
import type { AnswerKey, AnswerStore } from './answer-store.ts';
import { type ArchiveRecord, loadArchiveRecord, updateArchiveRecord } from './archive-record.ts';
import type { ArchivePace } from './settings.ts';
import { stateFromDetail } from './state-from-detail.ts';
import { notCompared, type VersionState, type VersionSummary } from './version-state.ts';

/** What the catalogue answered. */
export type ArchiveAnswer =
  | { readonly kind: 'state'; readonly state: VersionState }
  /** It has no such panel or version. */
  | { readonly kind: 'missing' }
  /** It answered something else; `why` is a clause for people. */
  | { readonly kind: 'unreadable'; readonly why: string };

/** Why no request is sent now. */
type Pause = 'budget' | 'not-before' | 'out-of-time' | 'refused' | 'off';

/** No request for a state may be sent before `until`, in milliseconds since the epoch; null where the next run may. */
export class ArchivePaused extends Error {
  override readonly name = 'ArchivePaused';
  readonly pause: Pause;
  readonly until: number | null;

  constructor(pause: Pause, until: number | null) {
    const when = until === null ? 'the next run goes on' : `not before ${new Date(until).toISOString()}`;
    super(`Asking the catalogue for the state of a panel: ${reasons[pause]}; ${when}. Nothing is lost.`);
    this.pause = pause;
    this.until = until;
  }
}

const reasons: Readonly<Record<Pause, string>> = {
  budget: 'the requests of this day or week are used up',
  'not-before': 'the catalogue asked to wait',
  'out-of-time': 'the time of this run is over',
  refused: 'the catalogue answers with something else',
  off: 'the catalogue serves no states of panels',
};

/** Reads the states of panels, one request at a time, at the pace of the settings. */
export interface Archive {
  /**
   * A panel at the end of a version, or as it is now where no version is given.
   * @throws {ArchivePaused} where no request may be sent; {CatalogueError} where the catalogue is out of order
   */
  read(panelId: number, version?: string): Promise<ArchiveAnswer>;
  /**
   * Every row of a panel's log, newest first; null where the catalogue does not serve them.
   * @throws {ArchivePaused} where no request may be sent; {CatalogueError} where the catalogue is out of order
   */
  rows(panelId: number): Promise<readonly unknown[] | null>;
  /**
   * The archive of a kept version, as it was read last; null where it was not, or not since an instant at which the version had ended: it
   * never changes.
   */
  readSince(kept: VersionSummary, ended: Instant): Promise<VersionState | null>;
  /** Requests that were sent by this reader. */
  readonly requests: number;
}

interface ArchiveOptions {
  readonly catalogue: Pick<Catalogue, 'panelDetail' | 'panelRows'>;
  /** Where each answer that shows a panel is kept; nowhere where absent. */
  readonly answers?: AnswerStore;
  /** The archive of a version that was read last, for the readers of one process: a poll reads what a proof needs minutes later. */
  readonly lastArchived?: { state: VersionState | null };
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly pace: ArchivePace;
  /** Milliseconds since the epoch; no request and no wait goes beyond it. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const WEEK_MS = 7 * DAY_MS;

/** Poll, sweep and proofs may each ask for a state at the same time. */
const MOST_READERS = 3;

/** After so many answers in a row that were no state of a public panel, the next request waits. */
const MOST_MISSED = 3;
/** It waits a minute first, then twice as long each time, and this long at most. */
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
/** The catalogue is taken to serve no states where it served none for so long, and was asked so often. */
const OFF_AFTER_MS = 6 * 60 * MINUTE_MS;
const OFF_AFTER_WAITS = 6;

/** What the catalogue answers where it does not know the address or refuses it, or where something else answers. */
const refusals: ReadonlySet<Condition> = new Set([
  'FORBIDDEN',
  'UNAUTHORIZED',
  'REDIRECTED',
  'REQUEST_REFUSED',
  'NOT_FOUND',
  'HTML',
  'EMPTY',
  'JSON_WRONG',
  'JSON_TOO_DEEP',
  'KEYS_REPEATED',
  'ITEMS_WRONG',
  'TOO_LARGE',
]);

/** The archive of one catalogue. Pace, budget and waits are kept over runs. */
export function createArchive(options: ArchiveOptions): Archive {
  const { catalogue, answers, documents, clock, log, pace, signal } = options;
  const { deadline = Number.POSITIVE_INFINITY, lastArchived = { state: null } } = options;
  let requests = 0;

  const wait = async (): Promise<void> => {
    const { lastAt } = await updateArchiveRecord(documents, (record) =>
      withRequest(record, { now: clock.now(), pace, deadline }),
    );
    const left = lastAt - clock.now();
    if (left <= 0) return;
    await clock.sleep(left, signal);
    // Another reader may have been asked to wait meanwhile.
    refuseEarly(await loadArchiveRecord(documents), clock.now());
  };
  const missed = (record: ArchiveRecord, panelId: number, why: string): ArchiveRecord =>
    withMissed(record, { panelId, why, now: clock.now(), log });

  /** Waits for its turn, and counts a request. */
  const begin = async (): Promise<void> => {
    await wait();
    requests += 1;
  };

  /** Says what was answered in place of what was asked for; throws what is another error, or a pause where the catalogue asks to wait. */
  const refused = async (error: unknown): Promise<string> => {
    if (!(error instanceof CatalogueError)) throw error;
    const { condition, notBefore, seen } = error;
    if (condition === 'NOT_BEFORE' && notBefore !== null) {
      await updateArchiveRecord(documents, (record) => ({ ...record, notBefore }));
      throw new ArchivePaused('not-before', notBefore);
    }
    if (!refusals.has(condition)) throw error;
    return seen;
  };

  return {
    get requests() {
      return requests;
    },
    async readSince(kept, ended) {
      const key = (await answers?.of(kept.panelId, kept))?.findLast(
        ({ source, readAt }) => source === 'archive' && readAt >= ended,
      );
      if (!key) return null;
      const { state } = lastArchived;
      if (state && isAnswer(state, key)) return state;
      const body = await answers?.read(key);
      if (!body) return null;
      const detail = panelDetailSchema.parse(JSON.parse(String(body)));
      return stateFromDetail(detail, { source: 'archive', readAt: key.readAt, proof: notCompared });
    },
    async rows(panelId) {
      await begin();
      try {
        return await catalogue.panelRows(panelId);
      } catch (error) {
        await refused(error);
        return null;
      }
    },
    async read(panelId, version) {
      await begin();
      try {
        let body: Uint8Array | null = null;
        const detail = await catalogue.panelDetail(panelId, version, (received) => {
          body = received;
        });
        // Versions are missing where archives begin later. A public panel is there, and something is where states are served.
        const isMissed = (record: ArchiveRecord): boolean => version === undefined || !record.answered;
        await updateArchiveRecord(documents, (record) => {
          if (detail) return withServed(record);
          return isMissed(record) ? missed(record, panelId, 'it has no such panel or version') : record;
        });
        if (!detail) return { kind: 'missing' };
        const source = version === undefined ? 'present' : 'archive';
        const readAt = instantOf(clock.now());
        const state = stateFromDetail(detail, { source, readAt, proof: notCompared });
        if (body) await answers?.keep(state, body);
        if (source === 'archive') lastArchived.state = state;
        return { kind: 'state', state };
      } catch (error) {
        const why = await refused(error);
        await updateArchiveRecord(documents, (record) => missed(record, panelId, why));
        return { kind: 'unreadable', why };
      }
    },
  };
}

/** Whether an archived state is what an archived answer showed. */
const isAnswer = (state: VersionState, { panelId, version, validFrom, readAt }: AnswerKey): boolean =>
  state.panelId === panelId &&
  state.version === version &&
  state.validFrom === validFrom &&
  state.readAt === readAt;

/** @throws {ArchivePaused} while the catalogue is not to be asked */
function refuseEarly({ off, missed, notBefore }: ArchiveRecord, now: number): void {
  if (off && off.until > now) throw new ArchivePaused('off', off.until);
  if (missed && missed.until > now) throw new ArchivePaused('refused', missed.until);
  if (notBefore > now) throw new ArchivePaused('not-before', notBefore);
}

/**
 * Takes the next moment at which a request may be sent, and counts the request. A poll and a proof that ask at the same
 * time get one moment each.
 */
function withRequest(
  record: ArchiveRecord,
  { now, pace, deadline }: Pick<ArchiveOptions, 'pace'> & { readonly now: number; readonly deadline: number },
): ArchiveRecord {
  refuseEarly(record, now);
  const between = pace.secondsBetween * 1000;
  // A clock that was set back must not hold up the requests for longer than the readers that wait.
  const at = Math.max(now, Math.min(record.lastAt + between, now + MOST_READERS * between));
  if (at >= deadline) throw new ArchivePaused('out-of-time', null);
  const { day, week } = periodsOf(at);
  const today = record.day === day.name ? record.requests : 0;
  const thisWeek = record.week === week.name ? record.requestsOfWeek : 0;
  if (thisWeek >= pace.requestsPerWeek) throw new ArchivePaused('budget', week.end);
  if (today >= pace.requestsPerDay) throw new ArchivePaused('budget', day.end);
  return {
    ...record,
    ...{ day: day.name, requests: today + 1, week: week.name, requestsOfWeek: thisWeek + 1, lastAt: at },
  };
}

const withServed = (record: ArchiveRecord): ArchiveRecord =>
  record.answered && record.missed === null && record.off === null
    ? record
    : { ...record, answered: true, missed: null, off: null };

interface Missed extends Pick<ArchiveOptions, 'log'> {
  readonly panelId: number;
  readonly why: string;
  readonly now: number;
}

/**
 * Notes that something else than the state of a panel was served. Where states were served before, only other panels show
 * more: one that is hidden is asked for again until the listing lacks it.
 */
function withMissed(record: ArchiveRecord, { panelId, why, now, log }: Missed): ArchiveRecord {
  const before = record.missed ?? { panels: [], since: now, waits: 0, until: 0 };
  const others = record.answered ? before.panels.filter((one) => one !== panelId) : before.panels;
  const panels = [...others, panelId].slice(-MOST_MISSED);
  if (panels.length < MOST_MISSED) return { ...record, missed: { ...before, panels, why } };
  const waits = before.waits + 1;
  const isOff = now - before.since >= OFF_AFTER_MS && waits > OFF_AFTER_WAITS;
  if (record.off !== null || isOff) {
    // It is said once, and not again each week.
    if (!record.off)
      log.warn(
        'The catalogue has served no states of panels for hours; it is asked again in a week, or by "verify"',
        { why },
      );
    return { ...record, off: { since: record.off?.since ?? before.since, until: now + WEEK_MS, why } };
  }
  const until = now + Math.min(MINUTE_MS * 2 ** before.waits, LONGEST_WAIT_MS);
  if (waits === 1)
    log.warn(
      'The catalogue answers with something other than states of panels; it is asked again, less and less often',
      { why, until: new Date(until).toISOString() },
    );
  return { ...record, missed: { ...before, panels, waits, until, why } };
}

interface Period {
  /** Its first day, such as `2026-11-22`. */
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly end: number;
}

/** The day and the week of UTC that hold a moment; weeks begin on Mondays. */
function periodsOf(at: number): { readonly day: Period; readonly week: Period } {
  const period = (from: number, days: number): Period => ({
    name: new Date(from * DAY_MS).toISOString().slice(0, 10),
    end: (from + days) * DAY_MS,
  });
  const day = Math.floor(at / DAY_MS);
  // The epoch began on a Thursday.
  return { day: period(day, 1), week: period(day - ((day + 3) % 7), 7) };
}
