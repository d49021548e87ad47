import { Worker } from 'node:worker_threads';
import { type History, HistoryError } from '../../lambdas/store/history/history.ts';
import { nextPosition } from '../../lambdas/store/position.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import type { Chunk, MovableStore } from '../../lambdas/store/store.ts';
import { allowYoungObjects, boundHeap } from '../command.ts';
import type { WriterAnswer, WriterData, WriterJob } from './chunk-writer-thread.ts';

interface ChunkWriterOptions {
  readonly file: StateFile;
  /** The catalogue's name in the state. */
  readonly name: string;
  readonly store: MovableStore;
  readonly history: History;
  /** The module `chunk-writer-thread`, as this program has it. */
  readonly thread: URL;
}

interface ChunkWriter {
  readonly store: MovableStore;
  readonly history: History;
  /**
   * Waits until all is written, and ends the thread. To be called after a poll.
   * @throws {StateError | HistoryError} when something could not be written: the next poll repeats its chunk
   */
  settle(): Promise<void>;
}

/** A poll that records a second chunk reads a backlog. */
const CHUNKS_OF_A_BACKLOG = 2;

/**
 * Writes chunks in a thread of its own from the second one of a poll on, so that the next rows are read meanwhile. A chunk is
 * recorded once `record` has returned. What follows its publication, `append` and `advance`, is written in order behind it, before
 * the next chunk is recorded. A run that dies in between has not advanced, and repeats the chunk as recorded.
 */
export function createChunkWriter({ file, name, store, history, thread }: ChunkWriterOptions): ChunkWriter {
  let recorded = 0;
  let writer: ReturnType<typeof startWriter> | null = null;
  /** The chunk that the thread has recorded. */
  let current: Chunk | null = null;

  const afterWrites =
    <Given extends readonly unknown[], Value>(work: (...given: Given) => Promise<Value>) =>
    async (...given: Given): Promise<Value> => {
      await writer?.written();
      return work(...given);
    };

  return {
    store: {
      ...store,
      load: afterWrites(store.load),
      begin: afterWrites(store.begin),
      update: afterWrites(store.update),
      moveMark: afterWrites(store.moveMark),
      forgetBefore: afterWrites(store.forgetBefore),
      ledger: afterWrites(store.ledger),
      published: afterWrites(store.published),
      learn: afterWrites(store.learn),
      shapes: afterWrites(store.shapes),
      saveListing: afterWrites(store.saveListing),
      async record(position, chunk) {
        recorded += 1;
        if (recorded < CHUNKS_OF_A_BACKLOG) return store.record(position, chunk);
        file.check();
        allowYoungObjects();
        if (!writer) {
          // What this thread kept of the file to write it, the other one keeps now.
          file.database.exec('PRAGMA shrink_memory');
          writer = startWriter(thread, { path: file.path, catalogue: name });
        }
        current = chunk;
        const { messages, ...others } = chunk;
        writer.post({
          kind: 'record',
          position,
          chunk: others,
          messages: messages.map(({ id, body }) => ({ id, body })),
        });
        await writer.written();
        return nextPosition(position, {});
      },
      async advance(position, chunk) {
        if (!writer || chunk !== current) return store.advance(position, chunk);
        current = null;
        writer.post({ kind: 'advance', position });
        return nextPosition(position, chunk.next);
      },
      async countShapes(shapes, at) {
        if (!writer) return store.countShapes(shapes, at);
        writer.post({ kind: 'count shapes', shapes, at });
      },
    },
    history: {
      ...history,
      coverage: afterWrites(history.coverage),
      bodiesOf: afterWrites(history.bodiesOf),
      async append(records, period) {
        if (!writer || !current) return history.append(records, period);
        writer.post({ kind: 'append', ids: records.map(({ id }) => id), period });
      },
    },
    async settle() {
      const ending = writer;
      [writer, current, recorded] = [null, null, 0];
      if (ending) boundHeap();
      await ending?.end();
    },
  };
}

/** Young objects of a chunk need no more: the thread would otherwise keep memory for many chunks. */
const YOUNG_MB = 3;

function startWriter(thread: URL, workerData: WriterData) {
  const worker = new Worker(thread, {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    // Node says on every run that its SQLite may still change.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let posted = 0;
  let done = 0;
  let failure: Error | null = null;
  let wake = Promise.withResolvers<void>();
  const progress = (failed: Error | null): void => {
    done += 1;
    failure ??= failed;
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  worker.on('message', (answer: WriterAnswer) => progress(answer && errorOf(answer)));
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.once('error', (error) => {
    posted = done + 1;
    progress(error);
  });

  /** @throws {StateError | HistoryError} when a job failed */
  const written = async (): Promise<void> => {
    while (done < posted && !failure) await wake.promise;
    if (failure) throw failure;
  };
  return {
    /** Does a job after those before it, and none after one that failed. */
    post(job: WriterJob): void {
      posted += 1;
      worker.postMessage(job);
    },
    written,
    /** The same as `written`, then ends the thread. */
    async end() {
      try {
        await written();
      } finally {
        worker.postMessage(null);
        await exited;
      }
    },
  };
}

function errorOf({ error, message, code }: NonNullable<WriterAnswer>): Error {
  if (error === 'StateError') return new StateError(code, message);
  return error === 'HistoryError' ? new HistoryError(message) : new Error(message);
}
