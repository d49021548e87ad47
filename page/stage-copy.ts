import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { keptInTables } from '../lambdas/panels/dynamodb-panel-states.ts';
import type { PanelStateStore } from '../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../lambdas/panels/sqlite-panel-states.ts';
import type { VersionSummary } from '../lambdas/panels/version-state.ts';
import { createKeptChanges } from '../lambdas/questions/worklist/kept-changes.ts';
import type { Clock } from '../lambdas/run/clock.ts';
import { inGroups } from '../lambdas/run/in-groups.ts';
import { type Instant, instantOf, later, parseInstant } from '../lambdas/run/instant.ts';
import { createDynamoHistory } from '../lambdas/store/history/dynamodb.ts';
import type { History, HistoryRecord } from '../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../lambdas/store/history/sqlite.ts';
import { indexEvents } from '../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteStore } from '../lambdas/store/sqlite.ts';
import { openStateFile } from '../lambdas/store/sqlite-file.ts';
import type { CopyState } from './route-context.ts';
import { plainPage } from './sign-in/access.ts';

/** A copy of what a deployed stage keeps, in a file of this process that is deleted at the end. */
type StageCopy = ReturnType<typeof openStageCopy>;

interface CopiedStage {
  /** As the settings name it. */
  readonly name: string;
  readonly stateTable: string;
  readonly historyTable: string;
  readonly catalogues: readonly string[];
  readonly dynamodb: DynamoDBClient;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Where the copy lies: made anew, since an earlier process may have left one; a new temporary folder where absent. */
  readonly folder?: string | undefined;
  /** Older events than so many are not copied, so that the copy fits on the disk; all are where absent. */
  readonly mostEvents?: number | undefined;
  /** What an error means for the reader of the page. */
  readonly explain: (error: unknown) => string;
}

/** What the first view shows: a month of today's catalogues, in one or two seconds. */
const FIRST_EVENTS = 4_000;
const OLDER_EVENTS = 2_000;
/** Events that are published late have older dates; what is older still is found by reading the whole history. */
const RECENT_MS = 3 * 86_400_000;
const WHOLE_MS = 6 * 3_600_000;

function emptyFolder(named: string | undefined): string {
  if (named === undefined) return mkdtempSync(join(tmpdir(), 'gene-panel-page-'));
  rmSync(named, { recursive: true, force: true });
  mkdirSync(named, { recursive: true, mode: 0o700 });
  return named;
}

/** Opens an empty file for the copy of a stage; nothing is read yet. */
export function openStageCopy(stage: CopiedStage) {
  const { name, stateTable, historyTable, catalogues, dynamodb, clock, signal, explain } = stage;
  const folder = emptyFolder(stage.folder);
  const file = openStateFile(folder);
  const history = createDynamoHistory({ dynamodb, table: historyTable, clock });
  const parts = catalogues.map((catalogue) => {
    const tables = { dynamodb, stateTable, historyTable, runId: 'reads-only', clock };
    return {
      kept: keptInTables(catalogue, tables),
      local: createSqlitePanelStates({ file, catalogue, now: clock.now }),
      /** Whether the newest states were copied once, and since the last new events. */
      isCopied: false,
      isCurrent: false,
    };
  });

  const local = createSqliteHistory(file);
  const mostEvents = stage.mostEvents ?? Number.POSITIVE_INFINITY;
  let copied: CopyState = { at: clock.now(), problem: null };
  /** Where the reading from the newest to the oldest event is; when it began, and how much it read. */
  let older: { readonly began: number; readonly until: Instant | null; readonly count: number } | null = null;
  const hasLeft = (): boolean => older !== null && older.until !== null && older.count < mostEvents;

  const attempt = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act();
    } catch (error) {
      if (!signal?.aborted) copied = { ...copied, problem: explain(error) };
      throw error;
    }
  };

  return {
    file,
    /**
     * Reads what is new at the stage; the first time, its newest events.
     * @throws {HistoryError | StateError} when a table cannot be read: what was copied before stays
     * @throws the reason of the signal, once it is aborted
     */
    readNew: () =>
      attempt(async () => {
        const now = clock.now();
        const isWhole = older === null || (!hasLeft() && now - older.began >= WHOLE_MS);
        const part = await copyHistory({
          ...{ from: history, to: local, signal },
          ...(isWhole ? { most: Math.min(FIRST_EVENTS, mostEvents) } : { since: instantOf(now - RECENT_MS) }),
        });
        if (isWhole) older = { began: now, until: part.reached, count: part.count };
        for (const { kept } of parts) {
          const listing = await kept.state.listing();
          if (listing) await createSqliteStore(file, kept.catalogue).saveListing(listing);
        }
        indexEvents(file);
        for (const each of parts) each.isCurrent = false;
        copied = { at: now, problem: null };
      }),
    /**
     * Reads the next part of what is older than that. Returns whether more is left; where nothing is, the changes of the worklist
     * are kept.
     * @throws as `readNew`
     */
    readOlder: () =>
      attempt(async () => {
        const part = parts.find(({ isCurrent }) => !isCurrent);
        if (part) {
          await copyNewestStates(part.kept.states, part.local);
          part.isCurrent = true;
          part.isCopied = true;
        } else if (older?.until != null && hasLeft()) {
          const { until, count } = older;
          const read = await copyHistory({
            ...{ from: history, to: local, until, signal },
            most: Math.min(OLDER_EVENTS, mostEvents - count),
          });
          older = { ...older, until: read.reached, count: count + read.count };
          if (!hasLeft()) indexEvents(file);
        }
        const isMoreLeft = parts.some((each) => !each.isCurrent) || hasLeft();
        if (!isMoreLeft) await createKeptChanges(file).keep();
        return isMoreLeft;
      }),
    /** How much of the bound the events in the copy take, in percent; 0 without a bound. */
    percentFull: () => (100 * (older?.count ?? 0)) / mostEvents,
    close() {
      file.close();
      rmSync(folder, { recursive: true, force: true });
    },
    place: {
      stage: name,
      catalogues,
      kept: parts.map(({ kept }) => kept),
      states(catalogue: string): PanelStateStore {
        const part = parts.find(({ kept }) => kept.catalogue === catalogue);
        // A catalogue that the stage followed once, and follows no longer.
        if (!part) return createSqlitePanelStates({ file, catalogue, now: clock.now });
        if (!part.isCopied) return part.kept.states;
        const { newest, panels, holdings, signOffs } = part.local;
        return { ...part.kept.states, newest, panels, holdings, signOffs };
      },
      copied: () => copied,
      newSince: () => instantOf(clock.now() - RECENT_MS),
    },
  };
}

const AT_ONCE = 8;

async function copyNewestStates(
  from: Pick<PanelStateStore, 'panels' | 'newest' | 'signOffs'>,
  to: Pick<PanelStateStore, 'panels' | 'save' | 'saveSignOffs'>,
): Promise<void> {
  const kept = new Map((await to.panels()).map((summary) => [summary.panelId, textOf(summary)]));
  const changed = (await from.panels()).filter((summary) => kept.get(summary.panelId) !== textOf(summary));
  await inGroups(AT_ONCE, changed, async ({ panelId }) => {
    const state = await from.newest(panelId);
    if (state) await to.save(state);
  });
  await to.saveSignOffs(await from.signOffs());
}

const textOf = (summary: VersionSummary): string =>
  JSON.stringify(summary, (_key, value) => (typeof value === 'bigint' ? String(value) : value));

const GROUP = 500;

interface CopiedEvents {
  readonly from: Pick<History, 'findRecords' | 'coverage'>;
  readonly to: Pick<History, 'append'>;
  /** Only events at or after this time; all of them where absent. */
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  /** The copy ends after so many events, and all others of the time of the last one; all of them where absent. */
  readonly most?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies published events into another history, newest first, byte for byte; one that is there already stays. What the periods
 * say is copied last and for the time that was copied, so that a copy that ends early claims to cover nothing more.
 * @throws {HistoryError} when one cannot be read or the other not be written
 * @throws the reason of the signal, once it is aborted
 */
async function copyHistory(copied: CopiedEvents) {
  const { from, to, since, until, most = Number.POSITIVE_INFINITY, signal } = copied;
  const covered = await from.coverage();
  let group: HistoryRecord[] = [];
  let at = until ?? 0n;
  let count = 0;
  let reached: Instant | null = null;
  const keep = async (): Promise<void> => {
    // An event without a time is kept at the end of its period: here at the time of the event after it.
    if (group.length > 0) await to.append(group, { catalogue: '', since: at, until: at });
    group = [];
  };
  const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  for await (const record of from.findRecords({ order: 'newest', ...period })) {
    signal?.throwIfAborted();
    const time = parseInstant((JSON.parse(record.body) as PanelEvent).time);
    if (time !== null && time < at && count >= most) {
      reached = at;
      break;
    }
    if (time === null || group.length === GROUP) await keep();
    group.push(record);
    count += 1;
    if (time === null) await keep();
    else at = time;
  }
  await keep();
  const begin = reached ?? since ?? 0n;
  for (const { catalogue, ...each } of covered) {
    const end = until !== undefined && until < each.until ? until : each.until;
    if (begin < end) await to.append([], { catalogue, since: later(begin, each.since), until: end });
    // Whoever reads the copy sees by this moment that the history begins earlier, and that the time between was not read.
    if (reached !== null && each.since < reached)
      await to.append([], { catalogue, since: each.since - 1n, until: each.since });
  }
  return {
    count,
    /** Events before this time were left; null where none was. */
    reached,
  };
}

interface PreparedCopyOptions {
  readonly copy: Pick<StageCopy, 'readNew' | 'readOlder'>;
  readonly clock: Clock;
  /** What an error means for the reader. */
  readonly explain: (error: unknown) => string;
  /** Called when everything was copied that is copied. */
  readonly onWhole?: (() => void) | undefined;
}

/** A copy that is older is brought up to date by the next request. */
const FRESH_MS = 60_000;
/** A request waits for the newest events: an HTTP API ends it after 30 seconds. */
const FIRST_WAIT_MS = 20_000;
/** A request waits for what is new; then it shows what is there, and the page says of when that is. */
const NEXT_WAIT_MS = 5_000;
/** Nobody waits for a live stream: the copying goes on in its time, since between requests an instance stands still. */
const STREAM_WAIT_MS = 20_000;
/** When a browser asks again that saw nothing of the history. */
const AGAIN_SECONDS = 2;

/**
 * Brings the copy of a stage up to date while requests wait, for a process that runs during requests only. The stream of changes
 * is shown as soon as the newest events are there; other views wait a little for the whole, and say what was not read.
 * Returns what answers a request before anything was copied; null where the views can be shown.
 */
export function createPreparedCopy(options: PreparedCopyOptions): (path: string) => Promise<Response | null> {
  const { copy, clock, explain, onWhole } = options;
  let readAt: number | null = null;
  let problem: string | null = null;
  let running: Promise<void> | null = null;
  let step = Promise.withResolvers<void>();
  const stepped = (): void => {
    step.resolve();
    step = Promise.withResolvers();
  };
  const isFresh = (): boolean => readAt !== null && clock.now() - readAt < FRESH_MS;
  let isWhole = false;

  async function read(): Promise<void> {
    for (;;) {
      if (!isFresh()) {
        const began = clock.now();
        await copy.readNew();
        [readAt, problem] = [began, null];
        stepped();
      }
      if (!(await copy.readOlder())) break;
    }
    isWhole = true;
    onWhole?.();
  }
  const begin = (): void => {
    running ??= read()
      .catch((error: unknown) => {
        problem = explain(error);
        // What is there is shown until the next attempt.
        if (readAt !== null) readAt = clock.now();
      })
      .finally(() => {
        running = null;
        stepped();
      });
  };
  async function wait(isReady: () => boolean, limit: number): Promise<void> {
    const waited = new AbortController();
    const late = clock.sleep(limit, waited.signal).then(
      () => true,
      () => true,
    );
    while (running !== null && !isReady()) if (await Promise.race([step.promise, late])) break;
    waited.abort();
  }

  return async (path) => {
    if (isFresh() && isWhole) return null;
    begin();
    if (path === '/live') await wait(() => false, STREAM_WAIT_MS);
    else if (readAt === null) await wait(() => readAt !== null, FIRST_WAIT_MS);
    else await wait(isFresh, NEXT_WAIT_MS);
    if (path !== '/' && !isWhole) await wait(() => isWhole, NEXT_WAIT_MS);
    if (readAt !== null) return null;
    return problem === null ? stillCopying() : unreadable(problem);
  };
}

function stillCopying(): Response {
  const response = plainPage(
    503,
    'The history is being copied',
    'This can take a few minutes when nobody has used the page for a while. The page opens by itself.',
  );
  response.headers.set('retry-after', String(AGAIN_SECONDS));
  response.headers.set('refresh', String(AGAIN_SECONDS));
  return response;
}

const unreadable = (problem: string): Response =>
  plainPage(503, 'The stage cannot be read', `${problem} Nothing can be shown before it is read.`);
