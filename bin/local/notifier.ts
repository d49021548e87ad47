import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { formatInstant, type Instant } from '../../lambdas/clock/instant.ts';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { forgetOldEvents } from '../../lambdas/history/sqlite-retention.ts';
import { indexNextWords } from '../../lambdas/history/sqlite-word-index.ts';
import type { Access } from '../../lambdas/http/access.ts';
import type { Log } from '../../lambdas/log/log.ts';
import type { ProofOptions, ProofReport } from '../../lambdas/panel-states/proof-options.ts';
import { provePanels } from '../../lambdas/panel-states/prove-panels.ts';
import type { ArchivePace } from '../../lambdas/panel-states/settings.ts';
import type { SearchRequest } from '../../lambdas/poll/bookkeeping.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import { readSignOffs } from '../../lambdas/sign-offs/read-sign-offs.ts';
import { createSqliteDocuments } from '../../lambdas/state/documents-sqlite.ts';
import { forgetOldState } from '../../lambdas/state/forget-old.ts';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import type { StateFile } from '../../lambdas/state/sqlite-file.ts';
import type { StateStore } from '../../lambdas/state/store.ts';
import type { FollowedPanels } from '../../lambdas/subscriptions/followed-panels.ts';
import { defaultSameChangePercent, defaultShrunkenPercent } from '../../lambdas/sweep/settings.ts';
import { sweep } from '../../lambdas/sweep/sweep.ts';
import { createReadLog, searchPagesOfSweep } from '../../lambdas/sweep/sweep-options.ts';
import type { SweepReport } from '../../lambdas/sweep/sweep-report.ts';
import type { Io } from '../command.ts';
import { createProgress } from '../progress.ts';
import type { SettingsStage } from '../settings-stage.ts';
import { followedName } from './followed-catalogue.ts';
import { withProgress } from './log-progress.ts';
import type { LocalMessages } from './messages.ts';
import { openForPolling } from './open-state.ts';
import { openLocalStates } from './panel-states.ts';
import { LocalStateError } from './state-error.ts';

export interface LocalNotifierOptions {
  /** The catalogue's name in the events and in the state; its host where absent. */
  readonly name?: string;
  /** The catalogue's address. */
  readonly url: string;
  readonly access: Access;
  /** Where state and history are kept; in memory where absent. */
  readonly state?: string | undefined;
  readonly overlap: Instant;
  readonly from?: Instant;
  readonly learnSince?: Instant;
  /** The address that the catalogue had before it moved. */
  readonly movedFrom?: string;
  /** A listing that lost more of its panels or regions than this, in percent, is not trusted. */
  readonly shrunkenPercent?: number;
  /** Where more of the panels have the same kind of change, in percent, it waits for a later sweep. */
  readonly sameChangePercent?: number;
  /** Days for which events and the rows of the ledger are kept; without end where absent. */
  readonly historyDays?: number | undefined;
  /** How often the states of panels are asked for; the default where absent. */
  readonly archivePace?: ArchivePace;
  /** Days for which states of panels are kept, apart from the newest; as long as events where absent. */
  readonly keepStateDays?: number | undefined;
  /** The panels whose states are read first. */
  readonly followed?: FollowedPanels;
  readonly publisher: Publisher;
  /** Settings whose subscriptions get messages. */
  readonly messages?: SettingsStage | undefined;
  /** The catalogue is a sandbox: each message says so. */
  readonly madeUp?: boolean;
  readonly log: Log;
  readonly io: Io;
}

/**
 * The notifier of one catalogue on this machine: what runs as a Lambda, with its state and history in a file. Once the
 * command's signal is aborted, a poll fails with the signal's reason as soon as the chunk under way is finished.
 */
export interface LocalNotifier {
  poll(): Promise<PollReport>;
  /**
   * Publishes what the listings show and the log does not; reads the log first where something differs. With `accept`, a
   * person accepts what the listings show.
   */
  sweep(accept?: boolean): Promise<SweepReport>;
  /** Once a day: forgets what is older than it is kept. */
  tidy(): Promise<void>;
  /** Adds events to the search index, so that the first search need not wait for all of them. */
  indexWords(): void;
  /**
   * Reads what panels hold, at the pace of the settings, and proves the versions that began since.
   * @param given `deadline`: milliseconds since the epoch after which nothing is asked
   */
  prove(given?: ProvingTime): Promise<ProofReport>;
  readonly requests: number;
  /** The messages to people; null where no settings were given. */
  readonly messages: LocalMessages | null;
  /** The state and history that it fills. */
  readonly file: StateFile;
  close(): Promise<void>;
}

/** How long to read and prove states, and which. */
interface ProvingTime extends Pick<ProofOptions, 'onProgress' | 'onSignedOffProgress' | 'fromStart'> {
  readonly deadline?: number;
}

/** @throws {LocalStateError | StateError} when the state cannot be used */
export async function startLocalNotifier(options: LocalNotifierOptions): Promise<LocalNotifier> {
  const { url, access, state: directory, log: given, io, messages: settings, ...rest } = options;
  const { clock, signal } = io;
  const state = openForPolling(directory);
  const log = logUntilStopped(given, signal);
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log, signal });
  const name = await followedName(state.file, {
    name: options.name,
    url: catalogue.url,
    state: directory,
  }).catch(async (error) => {
    await catalogue.close();
    state.close();
    throw error;
  });
  const progress = createProgress(io, 'activities');
  const kept = createSqliteStore(state.file, name);
  const store = storeUntilStopped(kept, signal);
  let tidied = Number.NEGATIVE_INFINITY;
  const history = createSqliteHistory(state.file);
  const documents = createSqliteDocuments(state.file, name);
  const states = openLocalStates({
    file: state.file,
    name,
    catalogue,
    documents,
    clock,
    log,
    signal,
    pace: options.archivePace,
    keepDays: options.keepStateDays ?? options.historyDays,
  });
  const messages = settings
    ? await openMessages({
        settings,
        catalogue: name,
        madeUp: options.madeUp === true,
        file: state.file,
        history,
        wasRestored: ((await kept.load(0n))?.rollback ?? null) !== null,
        io,
        log,
      })
    : null;
  const publisher = messages?.before(options.publisher) ?? options.publisher;
  let isFirst = true;
  const throttledSince = (before: number): number => catalogue.traffic.throttled - before;
  const pollOnce = async (request: SearchRequest | null = null): Promise<PollReport> => {
    if (options.from !== undefined) {
      await refuseEarlierStart(store, { ...options, url: catalogue.url, name });
    }
    const before = catalogue.traffic.throttled;
    try {
      const report = await poll({
        ...rest,
        name,
        catalogue: withProgress(catalogue, progress),
        store,
        history,
        states: states.store,
        publisher,
        ratingsBefore: states.ratingsBefore(),
        clock,
        log,
        ...(settings && { shrunkenLogPercent: settings.stage.alarms.shrunkenPercent }),
        ...(request && { searchRequest: request, searchPages: searchPagesOfSweep }),
      });
      await messages?.alarms.after({ kind: 'polled', report, throttled: throttledSince(before), isFirst });
      if (report.outcome !== 'postponed') isFirst = false;
      return report;
    } catch (error) {
      if (!signal.aborted) {
        await messages?.alarms.after({ kind: 'poll failed', error, throttled: throttledSince(before) });
      }
      throw error;
    } finally {
      progress.end();
    }
  };
  const readLog = createReadLog({ store, log, poll: pollOnce });
  const sweepOnce = async (accept = false): Promise<SweepReport> => {
    try {
      const report = await sweep({
        name,
        catalogue,
        documents,
        history,
        state: store,
        states: states.store,
        publisher,
        clock,
        log,
        shrunkenPercent: options.shrunkenPercent ?? defaultShrunkenPercent,
        sameChangePercent: options.sameChangePercent ?? defaultSameChangePercent,
        accept,
        readLog,
      });
      await readSignOffs({
        name,
        catalogue,
        states: states.store,
        documents,
        history,
        state: store,
        publisher,
        clock,
        log,
        readLog,
      });
      await messages?.alarms.after({ kind: 'swept', report });
      state.file.checkpoint();
      return report;
    } catch (error) {
      if (!signal.aborted) await messages?.alarms.after({ kind: 'sweep failed', error });
      throw error;
    }
  };
  return {
    poll: () => pollOnce(),
    sweep: sweepOnce,
    tidy: async () => {
      const { historyDays: days } = options;
      const now = clock.now();
      if (days === undefined || now - tidied < DAY_MS) return;
      tidied = now;
      forgetOldEvents(state.file, { days, now });
      await forgetOldState(kept, { days, now });
    },
    indexWords: () => {
      // A step takes some hundredths of a second; an old history is done after some polls.
      for (let steps = 0; steps < INDEX_STEPS && indexNextWords(state.file) > 0; steps += 1);
    },
    prove: async ({ deadline, ...given } = {}) => {
      const readLog = createReadLog({ store, log, poll: pollOnce });
      try {
        const report = await provePanels({
          name,
          url: catalogue.url,
          archive: states.archive(deadline),
          states: states.store,
          documents,
          history,
          state: store,
          publisher,
          clock,
          log,
          readLog: () => readLog(null),
          overlap: options.overlap,
          signal,
          ...(options.followed && { first: options.followed }),
          ...given,
        });
        await messages?.alarms.after({ kind: 'proved', report });
        return report;
      } catch (error) {
        if (!signal.aborted) await messages?.alarms.after({ kind: 'proof failed', error });
        throw error;
      }
    },
    messages,
    get requests() {
      return catalogue.traffic.requests;
    },
    file: state.file,
    close: async () => {
      await catalogue.close();
      state.close();
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Steps of a thousand events that a poll's pause may spend on the search index. */
const INDEX_STEPS = 5;

/** Loaded at need: a run without messages does not wait for mail and chat. */
async function openMessages(
  options: Parameters<typeof import('./messages.ts').openLocalMessages>[0],
): Promise<LocalMessages> {
  const { openLocalMessages } = await import('./messages.ts');
  return openLocalMessages(options);
}

interface Named extends LocalNotifierOptions {
  readonly name: string;
}

/** Refuses a start before the one of the state: a poll never goes back, and would print "nothing new". */
async function refuseEarlierStart(
  store: StateStore,
  { name, url, from, overlap, state }: Named,
): Promise<void> {
  const { position } = (await store.load(overlap)) ?? {};
  // A state of another catalogue is refused by the poll itself.
  if (from === undefined || !position || from >= position.start || position.source !== url) return;
  const where = state === undefined ? '' : ` --state ${state}`;
  const day = (at: Instant): string => formatInstant(at).slice(0, 10);
  throw new LocalStateError(
    `Polling "${name}" from ${formatInstant(from)}: this state began at ${formatInstant(position.start)}, and a poll never goes back. Nothing was published. For what was published since then: gene-panel-notifier history${where} --since ${day(position.start)}. For older rows of the log, begin another state: --state NEW --from ${day(from)}.`,
  );
}

/** The store, where no further chunk is begun once the signal is aborted. */
function storeUntilStopped(store: StateStore, signal: AbortSignal): StateStore {
  const record: StateStore['record'] = async (position, chunk) => {
    signal.throwIfAborted();
    return store.record(position, chunk);
  };
  return { ...store, record };
}

/** The log, which does not warn of what failed because it was stopped. */
function logUntilStopped(log: Log, signal: AbortSignal): Log {
  const warn: Log['warn'] = (message, fields) => {
    if (!signal.aborted) log.warn(message, fields);
  };
  return { ...log, warn };
}
