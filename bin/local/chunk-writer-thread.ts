import { parentPort, workerData } from 'node:worker_threads';
import type { Message } from '../../lambdas/publishing/message.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { Coverage } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import type { Position } from '../../lambdas/store/position.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFileAgain } from '../../lambdas/store/sqlite-file.ts';
import { StateError, type StateErrorCode } from '../../lambdas/store/state-error.ts';
import type { Chunk } from '../../lambdas/store/store.ts';

/** What the thread writes to. */
export interface WriterData {
  /** The state file, which this process has open and guards. */
  readonly path: string;
  readonly catalogue: string;
}

/** A job of the thread. `append` and `advance` are about the chunk that was recorded last; null ends the thread. */
export type WriterJob =
  | {
      readonly kind: 'record';
      readonly position: Position;
      readonly chunk: Omit<Chunk, 'messages'>;
      readonly messages: readonly Pick<Message, 'id' | 'body'>[];
    }
  | { readonly kind: 'append'; readonly ids: readonly string[]; readonly period: Coverage }
  | { readonly kind: 'advance'; readonly position: Position }
  | { readonly kind: 'count shapes'; readonly shapes: ReadonlyMap<string, number>; readonly at: Instant }
  | null;

/** Null where a job was done, else why not. */
export type WriterAnswer = {
  readonly error: string;
  readonly message: string;
  readonly code: StateErrorCode;
} | null;

const { path, catalogue } = workerData as WriterData;
const file = openStateFileAgain(path);
const store = createSqliteStore(file, catalogue, createSqliteInsert(file));
const history = createSqliteHistory(file);
let chunk: Chunk | null = null;
let failure: WriterAnswer = null;

async function write(job: NonNullable<WriterJob>): Promise<void> {
  if (job.kind === 'record') {
    // Of a message, a file with a history keeps no more.
    chunk = { ...job.chunk, messages: job.messages as readonly Message[] };
    await store.record(job.position, chunk);
  } else if (job.kind === 'count shapes') {
    await store.countShapes(job.shapes, job.at);
  } else {
    if (!chunk) throw new Error(`Writing to ${path}: there is no recorded chunk to ${job.kind}`);
    if (job.kind === 'append') {
      const ids = new Set(job.ids);
      const published = chunk.messages.filter(({ id }) => ids.has(id));
      await history.append(published, job.period);
    } else {
      await store.advance(job.position, chunk);
      chunk = null;
    }
  }
}

const failed = (error: unknown): WriterAnswer => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { error: name, message, code: error instanceof StateError ? error.code : 'STATE_UNAVAILABLE' };
};

/** One job after the other, as they were posted. */
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (job: WriterJob) => {
  last = last.then(async () => {
    if (job === null) {
      file.close();
      parentPort?.close();
      return;
    }
    // What follows a job that failed depends on it.
    failure ??= await write(job).then(() => null, failed);
    parentPort?.postMessage(failure);
  });
});
