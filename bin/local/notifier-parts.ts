import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import type { Access } from '../../lambdas/catalogue/http/access.ts';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import type { FollowedPanels } from '../../lambdas/filters/followed-panels.ts';
import { createArchive } from '../../lambdas/panels/archive.ts';
import { createRatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../../lambdas/panels/settings.ts';
import { createSqliteAnswers, createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert, indexEvents } from '../../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { MovableStore, StateStore } from '../../lambdas/store/store.ts';
import type { Io } from '../command.ts';
import type { SettingsStage } from '../stage.ts';
import { createChunkWriter } from './chunk-writer.ts';
import type { LocalMessages } from './messages.ts';
import { followedName, openState, secondNameWarning } from './open-state.ts';

/** What poll, sweep and proofs of one catalogue share on this machine. */
export interface NotifierParts {
  /** The catalogue's name in the events and in the state. */
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly file: StateFile;
  /** Begins no chunk once the signal is aborted. */
  readonly store: MovableStore;
  readonly documents: Documents;
  /** Locks by which several processes take turns with the state. */
  readonly locks: Pick<ReturnType<typeof openState>, 'publishing' | 'proving'>;
  readonly history: History;
  /** Waits until all that a poll has published is written, and indexes it; to be called after the poll. */
  settle(): Promise<void>;
  readonly states: ReturnType<typeof openLocalStates>;
  readonly publisher: Publisher;
  readonly messages: LocalMessages | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** @throws {LocalStateError | StateError} when the state cannot be used */
export async function openNotifierParts(options: LocalNotifierOptions): Promise<NotifierParts> {
  const { url, original, access, state: directory, io, messages: settings } = options;
  const { clock, signal } = io;
  const state = openState(directory, { clock, signal, watches: options.watches === true });
  const { file } = state;
  const log = logUntilStopped(options.log, signal);
  const catalogue = createCatalogue({ baseUrl: url, original, access, clock, log, signal });
  const close = async (): Promise<void> => {
    await catalogue.close();
    state.close();
  };
  const name = await followedName(file, {
    name: options.name,
    url: catalogue.url,
    state: directory,
  }).catch(async (error) => {
    await close();
    throw error;
  });
  const warning = await secondNameWarning(file, { name, url: catalogue.url });
  if (warning !== null) io.stderr.write(`${warning}\n`);
  const kept = createSqliteStore(file, name, createSqliteInsert(file));
  const read = createSqliteHistory(file);
  const thread = directory === undefined ? undefined : io.writerThread;
  const writer = thread
    ? createChunkWriter({ file, name, store: kept, history: read, thread })
    : { store: kept, history: read, settle: async () => {} };
  const { store, history } = writer;
  const documents = createSqliteDocuments(file, name);
  const states = openLocalStates({ file, name, catalogue, documents, clock, log, signal }, options);
  const messages = settings
    ? await openMessages({
        ...{ settings, catalogue: name, file, history, io, log },
        madeUp: options.madeUp === true,
        wasRestored: ((await kept.load(0n))?.rollback ?? null) !== null,
      })
    : null;
  return {
    ...{ name, catalogue, file, documents, history, states, messages, clock, log, signal, close },
    store: storeUntilStopped(store, signal),
    async settle() {
      await writer.settle();
      indexEvents(file);
    },
    locks: state,
    publisher: options.publisher,
  };
}

/** Loaded at need: a run without messages does not wait for mail and chat. */
async function openMessages(
  options: Parameters<typeof import('./messages.ts').openLocalMessages>[0],
): Promise<LocalMessages> {
  const { openLocalMessages } = await import('./messages.ts');
  return openLocalMessages(options);
}

/** Opens the states of panels in the state file. A catalogue on this machine is asked without a pause. */
function openLocalStates(
  parts: Pick<NotifierParts, 'file' | 'name' | 'catalogue' | 'documents' | 'clock' | 'log' | 'signal'>,
  { url, archivePace, keepStateDays, historyDays }: LocalNotifierOptions,
) {
  const { file, name, clock, log } = parts;
  const usual = isLoopback(new URL(url).hostname) ? ownArchivePace : defaultArchivePace;
  const pace = archivePace ?? usual;
  const days = keepStateDays ?? historyDays;
  const store = createSqlitePanelStates({
    file,
    catalogue: name,
    now: clock.now,
    ...(days !== undefined && { retentionDays: days }),
  });
  const answers = createSqliteAnswers(file, name);
  const lastArchived = { state: null };
  /** @param deadline milliseconds since the epoch after which nothing is asked */
  const archive = (deadline?: number) => createArchive({ ...parts, answers, lastArchived, pace, deadline });
  return {
    store,
    archive,
    /** The ratings before rows, for one poll. */
    ratingsBefore: () => createRatingsBefore({ states: store, archive: archive(), log }),
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
