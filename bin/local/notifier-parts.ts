import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import { createSqliteDocuments } from '../../lambdas/store/documents-sqlite.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { indexEvents } from '../../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-insert.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { MovableStore } from '../../lambdas/store/store.ts';
import { createChunkWriter } from './chunk-writer.ts';
import { followedName } from './followed-catalogue.ts';
import type { LocalMessages } from './messages.ts';
import type { LocalNotifierOptions } from './notifier-options.ts';
import { openState } from './open-state.ts';
import { type LocalStates, openLocalStates } from './panel-states.ts';
import { logUntilStopped, storeUntilStopped } from './until-stopped.ts';

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
  readonly states: LocalStates;
  readonly publisher: Publisher;
  readonly messages: LocalMessages | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** @throws {LocalStateError | StateError} when the state cannot be used */
export async function openNotifierParts(options: LocalNotifierOptions): Promise<NotifierParts> {
  const { url, access, state: directory, io, messages: settings } = options;
  const { clock, signal } = io;
  const state = openState(directory, { clock, signal, watches: options.watches === true });
  const { file } = state;
  const log = logUntilStopped(options.log, signal);
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log, signal });
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
  const kept = createSqliteStore(file, name, createSqliteInsert(file));
  const read = createSqliteHistory(file);
  const thread = directory === undefined ? undefined : io.writerThread;
  const writer = thread
    ? createChunkWriter({ file, name, store: kept, history: read, thread })
    : { store: kept, history: read, settle: async () => {} };
  const { store, history } = writer;
  const documents = createSqliteDocuments(file, name);
  const states = openLocalStates({
    file,
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
        file,
        history,
        wasRestored: ((await kept.load(0n))?.rollback ?? null) !== null,
        io,
        log,
      })
    : null;
  return {
    name,
    catalogue,
    file,
    store: storeUntilStopped(store, signal),
    async settle() {
      await writer.settle();
      indexEvents(file);
    },
    documents,
    locks: state,
    history,
    states,
    publisher: options.publisher,
    messages,
    clock,
    log,
    signal,
    close,
  };
}

/** Loaded at need: a run without messages does not wait for mail and chat. */
async function openMessages(
  options: Parameters<typeof import('./messages.ts').openLocalMessages>[0],
): Promise<LocalMessages> {
  const { openLocalMessages } = await import('./messages.ts');
  return openLocalMessages(options);
}
