import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import type { Access } from '../../lambdas/catalogue/http/access.ts';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import type { FollowedPanels } from '../../lambdas/filters/followed-panels.ts';
import { defaultSameChangePercent, defaultShrunkenPercent } from '../../lambdas/functions/settings.ts';
import { createArchive } from '../../lambdas/panels/archive.ts';
import { askAgain } from '../../lambdas/panels/archive-record.ts';
import { createRatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../../lambdas/panels/settings.ts';
import { createSqliteAnswers, createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { SearchRequest } from '../../lambdas/poll/poll-options.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Publisher } from '../../lambdas/publishing/message.ts';
import type { ProofOptions, ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import {
  createReadLog,
  type SweepReport,
  searchPagesOfSweep,
  withSignOffs,
} from '../../lambdas/reconcile/sweep-report.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { DAY_MS } from '../../lambdas/run/clock.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import {
  createSqliteInsert,
  indexEvents,
  indexNextWords,
} from '../../lambdas/store/history/sqlite-event-index.ts';
import { forgetOldEvents } from '../../lambdas/store/history/sqlite-retention.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import { forgetOldState, type StateStore } from '../../lambdas/store/store.ts';
import { type Io, LocalStateError } from '../command.ts';
import type { SettingsStage } from '../stage.ts';
import { createProgress, type Progress } from '../terminal.ts';
import type { Run } from './alarm-conditions.ts';
import { createChunkWriter } from './chunk-writer.ts';
import { followedName, openState, secondNameWarning } from './open-state.ts';

/** What a notifier on this machine follows, and where it keeps and sends what it finds. */
export interface LocalNotifierOptions {
  /** The catalogue's name in the events and in the state; its host where absent. */
  readonly name?: string | undefined;
  readonly url: string;
  /** The address of the catalogue that a relay at that address serves. */
  readonly original?: string | undefined;
  readonly access: Access;
  /** Where state and history are kept; in memory where absent. */
  readonly state?: string | undefined;
  readonly overlap: Instant;
  readonly from?: Instant | undefined;
  readonly learnSince?: Instant | undefined;
  /** The address that the catalogue had before it moved. */
  readonly movedFrom?: string | undefined;
  /** A listing that lost more of its panels or regions than this, in percent, is not trusted. */
  readonly shrunkenPercent?: number | undefined;
  /** Where more of the panels have the same kind of change, in percent, it waits for a later sweep. */
  readonly sameChangePercent?: number | undefined;
  /** Days for which events and the rows of the ledger are kept; without end where absent. */
  readonly historyDays?: number | undefined;
  /** How often the states of panels are asked for; the default where absent. */
  readonly archivePace?: ArchivePace;
  /** Days for which states of panels are kept, apart from the newest; as long as events where absent. */
  readonly keepStateDays?: number | undefined;
  /** The panels whose states are read first. */
  readonly followed?: FollowedPanels | undefined;
  /** The catalogues of the same state that it is compared with, and the content of their file of pairs. */
  readonly comparedWith?: Readonly<Record<string, string | null>>;
  readonly publisher: Publisher;
  /** Settings whose subscriptions get messages. */
  readonly messages?: SettingsStage | undefined;
  /** Whether this process goes on: one at a time watches with a state, and sends its messages. */
  readonly watches?: boolean;
  /** The catalogue is a sandbox: each message says so. */
  readonly madeUp?: boolean;
  readonly log: Log;
  readonly io: Io;
}

/**
 * The notifier of one catalogue on this machine: what runs as a Lambda, with its state and history in a file. Once the
 * command's signal is aborted, a poll fails with the signal's reason as soon as the chunk under way is finished.
 */
export type LocalNotifier = Awaited<ReturnType<typeof startLocalNotifier>>;

/** @throws {LocalStateError | StateError} when the state cannot be used */
export async function startLocalNotifier(options: LocalNotifierOptions) {
  const parts = await openParts(options);
  const { store, catalogue, messages, file, log, locks } = parts;
  const readPages = createPoll(parts, options);
  const pollAlone: typeof readPages = (given) => locks.publishing(() => readPages(given));
  const readLogBy = (read: typeof readPages) =>
    createReadLog({ store, log, poll: (searchRequest) => read({ searchRequest, notesCoverage: true }) });
  const prove = createProof(parts, { ...options, readLog: () => readLogBy(pollAlone)(null) });
  return {
    poll: () => pollAlone(),
    /** Whether a poll has ever read the catalogue with this state. */
    hasBegun: async () => (await store.load(0n)) !== null,
    /** Whether the listings were not compared within the last hour. */
    isSweepDue: async () => {
      const stored = await loadSweep(parts.documents);
      return stored === null || parts.clock.now() - stored.snapshot.listedAt >= SWEEP_EVERY_MS;
    },
    /**
     * Publishes what the listings show and the log does not; reads the log first where something differs. With `accept`, a
     * person accepts what the listings show.
     */
    sweep: (accept = false) =>
      locks.publishing(() => sweepOnce(parts, { ...options, readLog: readLogBy(readPages), accept })),
    /** Once a day: forgets what is older than it is kept. */
    tidy: createTidy(parts, options.historyDays),
    /** Adds events to the search index, so that the first search need not wait for all of them. */
    async indexWords() {
      for (let steps = 0; steps < INDEX_STEPS && indexNextWords(file) > 0; steps += 1) await nextTurn();
    },
    /** Keeps the changes of the worklist that events have brought since, so that the next view of it need not derive them. */
    async keepWorklist() {
      // A quiet poll need not load it.
      const { createKeptChanges } = await import('../../lambdas/questions/worklist/kept-changes.ts');
      await locks.publishing(() => createKeptChanges(file).keep());
    },
    /**
     * Reads what panels hold, at the pace of the settings, and proves the versions that began since.
     * @param given how long, and which
     */
    prove: (given: ProvingTime = {}) => locks.proving.hold(() => prove(given)),
    /** The same, where no other process proves with this state, or waits to; null where one does. */
    async proveIfFree(given: ProvingTime) {
      if (locks.proving.isAwaited() || !locks.proving.take()) return null;
      return prove(given).finally(locks.proving.release);
    },
    /**
     * Compares the catalogue with the others of the settings, by what was read of both, and publishes what they disagree about since.
     * @returns what is not compared, and why, in sentences
     */
    compare: () => compareOnce(parts, options.comparedWith ?? {}),
    /** The messages to people; null where no settings were given. */
    messages,
    get requests() {
      return catalogue.traffic.requests;
    },
    file,
    close: parts.close,
  };
}

/** As often as watch compares them where nothing else is set. */
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Steps of a thousand events, of some hundredths of a second each, that a poll's pause may spend on the search index. */
const INDEX_STEPS = 50;

/** What poll, sweep and proofs of one catalogue share on this machine. */
type NotifierParts = Awaited<ReturnType<typeof openParts>>;

async function openParts(options: LocalNotifierOptions) {
  const { url, original, access, state: directory, io, messages: settings, publisher } = options;
  const { clock, signal } = io;
  const locks = openState(directory, { clock, signal, watches: options.watches === true });
  const { file } = locks;
  const log = logUntilStopped(options.log, signal);
  const catalogue = createCatalogue({ baseUrl: url, original, access, clock, log, signal });
  const close = async (): Promise<void> => {
    await catalogue.close();
    locks.close();
  };
  const wanted = { name: options.name, url: catalogue.url, state: directory };
  const name = await followedName(file, wanted).catch(async (error) => {
    await close();
    throw error;
  });
  const warning = await secondNameWarning(file, { name, url: catalogue.url });
  if (warning !== null) io.stderr.write(`${warning}\n`);
  const kept = createSqliteStore(file, name, createSqliteInsert(file));
  const read = createSqliteHistory(file);
  const thread = directory === undefined ? undefined : io.writerThread;
  const { store, history, settle } = thread
    ? createChunkWriter({ file, name, store: kept, history: read, thread })
    : { store: kept, history: read, settle: async () => {} };
  const documents = createSqliteDocuments(file, name);
  const shared = { file, name, catalogue, documents, clock, log, signal };
  // Loaded at need: a run without messages does not wait for mail and chat.
  const messages = settings
    ? await (await import('./messages.ts')).openLocalMessages({
        ...{ settings, catalogue: name, file, history, io, log },
        madeUp: options.madeUp === true,
        wasRestored: ((await kept.load(0n))?.rollback ?? null) !== null,
      })
    : null;
  return {
    ...shared,
    ...openStates(shared, options),
    ...{ history, messages, publisher, locks, close },
    store: storeUntilStopped(store, signal),
    /** Waits until all that a poll has published is written, and indexes it; to be called after the poll. */
    async settle() {
      await settle();
      indexEvents(file);
    },
    /** Does a run, and notices what it came to; nothing where a person stopped it. */
    async noted<Report>(
      work: () => Promise<Report>,
      { done, failed }: { done(report: Report): Run; failed(error: unknown): Run },
    ): Promise<Report> {
      try {
        const report = await work();
        await messages?.alarms.after(done(report));
        return report;
      } catch (error) {
        if (!signal.aborted) await messages?.alarms.after(failed(error));
        throw error;
      }
    },
  };
}

/** Opens the states of panels in the state file. A catalogue on this machine is asked without a pause. */
function openStates(
  shared: Pick<
    Parameters<typeof createArchive>[0],
    'catalogue' | 'documents' | 'clock' | 'log' | 'signal'
  > & {
    readonly file: StateFile;
    readonly name: string;
  },
  { url, archivePace, keepStateDays, historyDays }: LocalNotifierOptions,
) {
  const { file, name, clock, log } = shared;
  const usual = isLoopback(new URL(url).hostname) ? ownArchivePace : defaultArchivePace;
  const days = keepStateDays ?? historyDays;
  const states = createSqlitePanelStates({
    file,
    catalogue: name,
    now: clock.now,
    ...(days !== undefined && { retentionDays: days }),
  });
  const asked = {
    answers: createSqliteAnswers(file, name),
    lastArchived: { state: null },
    pace: archivePace ?? usual,
  };
  /** @param deadline milliseconds since the epoch after which nothing is asked */
  const archive = (deadline?: number) => createArchive({ ...shared, ...asked, deadline });
  return {
    states,
    archive,
    /** The ratings before rows, for one poll. */
    ratingsBefore: () => createRatingsBefore({ states, archive: archive(), log }),
  };
}

function storeUntilStopped<Store extends StateStore>(store: Store, signal: AbortSignal): Store {
  const record: StateStore['record'] = async (position, chunk) => {
    signal.throwIfAborted();
    return store.record(position, chunk);
  };
  return { ...store, record };
}

function logUntilStopped(log: Log, signal: AbortSignal): Log {
  const warn: Log['warn'] = (message, fields) => {
    if (!signal.aborted) log.warn(message, fields);
  };
  return { ...log, warn };
}

/** Forgets at most once a day; never where what is kept has no end. */
function createTidy({ clock, file, store }: NotifierParts, days: number | undefined): () => Promise<void> {
  let tidied = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (days === undefined || now - tidied < DAY_MS) return;
    tidied = now;
    forgetOldEvents(file, { days, now });
    await forgetOldState(store, { days, now });
  };
}

interface ProvingTime extends Pick<ProofOptions, 'onProgress' | 'onSignedOffProgress' | 'fromStart'> {
  /** Milliseconds since the epoch after which nothing is asked. */
  readonly deadline?: number;
  /** Whether states are asked for also where the catalogue served none of late: a person wants them. */
  readonly asksAgain?: boolean;
}

function createProof(
  parts: NotifierParts,
  { overlap, followed, readLog }: LocalNotifierOptions & Pick<ProofOptions, 'readLog'>,
) {
  const { catalogue, store, documents, noted } = parts;
  const lastAnswers = { answers: [] };
  return ({ deadline, asksAgain, ...given }: ProvingTime): Promise<ProofReport> =>
    noted(
      async () => {
        if (asksAgain) await askAgain(documents);
        // Loaded at need, as the sweep: a poll of the log alone does not wait for it.
        const { provePanels } = await import('../../lambdas/reconcile/prove-panels.ts');
        return provePanels({
          ...{ ...parts, overlap, lastAnswers, readLog, url: catalogue.url, state: store },
          archive: parts.archive(deadline),
          ...(followed && { first: followed }),
          ...given,
        });
      },
      {
        done: (report) => ({ kind: 'proved', report }),
        failed: (error) => ({ kind: 'proof failed', error }),
      },
    );
}

async function compareOnce(
  parts: NotifierParts,
  comparedWith: NonNullable<LocalNotifierOptions['comparedWith']>,
): Promise<readonly string[]> {
  const others = Object.entries(comparedWith);
  if (others.length === 0) return [];
  const { publishDisagreements } = await import('../../lambdas/reconcile/publish-disagreements.ts');
  const { name, catalogue, file, store, states, clock, locks } = parts;
  const notCompared: string[] = [];
  for (const [other, pairs] of others) {
    const report = await publishDisagreements({
      ...{ ...parts, pairs },
      here: { name, url: catalogue.url, states, listing: () => store.listing() },
      there: {
        name: other,
        states: createSqlitePanelStates({ file, catalogue: other, now: clock.now }),
        listing: () => createSqliteStore(file, other).listing(),
      },
      alone: (work) => locks.publishing(() => work(async () => {})),
    });
    notCompared.push(...report.notCompared);
  }
  return notCompared;
}

interface Sweep extends LocalNotifierOptions {
  readonly readLog: ReturnType<typeof createReadLog>;
  /** Whether a person accepts what the listings show. */
  readonly accept: boolean;
}

async function sweepOnce(
  parts: NotifierParts,
  {
    shrunkenPercent = defaultShrunkenPercent,
    sameChangePercent = defaultSameChangePercent,
    readLog,
    accept,
  }: Sweep,
): Promise<SweepReport> {
  const asked = { ...parts, state: parts.store, shrunkenPercent, sameChangePercent, readLog, accept };
  const [{ sweep }, { readSignOffs }] = await Promise.all([
    import('../../lambdas/reconcile/sweep.ts'),
    import('../../lambdas/reconcile/read-sign-offs.ts'),
  ]);
  const report = await parts.noted(async () => withSignOffs(await sweep(asked), await readSignOffs(asked)), {
    done: (swept) => ({ kind: 'swept', report: swept }),
    failed: (error) => ({ kind: 'sweep failed', error }),
  });
  parts.file.checkpoint();
  return report;
}

interface PollGiven {
  /** The search before the overlap that a sweep asks for. */
  readonly searchRequest?: SearchRequest | null;
  readonly notesCoverage?: boolean;
}

function createPoll(parts: NotifierParts, options: LocalNotifierOptions) {
  const { catalogue, settle, noted } = parts;
  const { overlap, from, learnSince, movedFrom, messages: settings } = options;
  const progress = createProgress(options.io, 'activities');
  let isFirst = true;
  return async ({ searchRequest, notesCoverage = false }: PollGiven = {}): Promise<PollReport> => {
    await refuseEarlierStart(parts, options);
    const before = catalogue.traffic.throttled;
    const throttled = (): number => catalogue.traffic.throttled - before;
    const asked = {
      ...{ ...parts, overlap, notesCoverage },
      catalogue: withProgress(catalogue, progress),
      ratingsBefore: parts.ratingsBefore(),
      ...(from !== undefined && { from }),
      ...(learnSince !== undefined && { learnSince }),
      ...(movedFrom !== undefined && { movedFrom }),
      ...(settings && { shrunkenLogPercent: settings.stage.alarms.shrunkenPercent }),
      ...(searchRequest && { searchRequest, searchPages: searchPagesOfSweep }),
    };
    try {
      const report = await noted(() => poll(asked).finally(settle), {
        done: (polled) => ({ kind: 'polled', report: polled, throttled: throttled(), isFirst }),
        failed: (error) => ({ kind: 'poll failed', error, throttled: throttled() }),
      });
      if (report.outcome !== 'postponed') isFirst = false;
      return report;
    } finally {
      progress.end();
    }
  };
}

/** Refuses a start before the one of the state: a poll never goes back, and would print "nothing new". */
async function refuseEarlierStart(
  { name, catalogue: { url }, store }: NotifierParts,
  { from, overlap, state }: LocalNotifierOptions,
): Promise<void> {
  if (from === undefined) return;
  const { position } = (await store.load(overlap)) ?? {};
  // A state of another catalogue is refused by the poll itself.
  if (!position || from >= position.start || position.source !== url) return;
  const where = state === undefined ? '' : ` --state ${state}`;
  const day = (at: Instant): string => formatInstant(at).slice(0, 10);
  throw new LocalStateError(
    `Polling "${name}" from ${formatInstant(from)}: this state began at ${formatInstant(position.start)}, and a poll never goes back. Nothing was published. For what was published since then: gene-panel-notifier history${where} --since ${day(position.start)}. For older rows of the log, begin another state: --state NEW --from ${day(from)}.`,
  );
}

/**
 * The catalogue, with progress for the pages of its log that are read one after the other. A backlog is read from its
 * oldest page to the newest; the number of the oldest page says how much there is.
 */
export function withProgress(catalogue: Catalogue, progress: Progress): Catalogue {
  let first = 1;
  let lowest = 1;
  let size = 0;
  const activities: Catalogue['activities'] = async (number) => {
    const page = await catalogue.activities(number);
    if (!page) return page;
    size = Math.max(size, page.rows.length);
    // A page is read again beside the next one, where rows moved between them.
    if (number === lowest || number === lowest + 1) return page;
    // The newest page begins a poll, or ends the backlog.
    const isNext = number > 1 && number === lowest - 1;
    if (!isNext) first = number;
    lowest = number;
    if (isNext) progress.show((first - number) * size, first * size);
    return page;
  };
  return {
    ...catalogue,
    activities,
    get traffic() {
      return catalogue.traffic;
    },
  };
}
