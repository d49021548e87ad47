import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/run/clock.ts';
import { makeDirectory, makeOwnFile, refuseLongPath } from '../../lambdas/store/make-directory.ts';
import { sqliteProblem } from '../../lambdas/store/sqlite-problem.ts';
import { LocalStateError } from '../command.ts';

/**
 * What one process at a time does with a directory: with a state, publish rows and listings, prove versions, watch; write a tree of
 * files. The operating system releases a lock when its process ends, however that ends. Readers need none.
 */
type Work = 'publishing' | 'proving' | 'watching' | 'writing a tree';

/** The lock of one kind of work in a directory. */
export interface Lock {
  /** Takes the lock; returns whether this process has it now. */
  take(): boolean;
  /** Whether another process waits for it in `hold`: work that has no end gives way. */
  isAwaited(): boolean;
  /** @throws {LocalStateError} when another process has it */
  demand(): void;
  /** Takes the lock, waits for another process that has it, and releases it after the work. */
  hold<Value>(work: () => Promise<Value>): Promise<Value>;
  release(): void;
  /** Releases the lock for good. */
  close(): void;
}

const files: Readonly<Record<Work, readonly [lock: string, holder: string, what: string, option: string]>> = {
  publishing: ['lock.sqlite', 'process', 'state', '--state'],
  proving: ['proving.sqlite', 'proving-process', 'state', '--state'],
  watching: ['watching.sqlite', 'watching-process', 'state', '--state'],
  'writing a tree': ['writing.sqlite', 'writing-process', 'tree', '--export'],
};

/** A look at a lock that another process has, in milliseconds. */
const LOOK_EVERY_MS = 250;
/** A process that waits says so at each look; one that was killed is not waited for longer. */
const AWAITED_MS = 8 * LOOK_EVERY_MS;
/** A poll of a backlog and a proof of years take longer: then a person waits for them, or stops them. */
const LONGEST_WAIT_MS = 120_000;

const SQLITE_BUSY = 5;

/** @throws {LocalStateError} when the directory cannot be used */
export function openLock(
  directory: string,
  work: Work,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Lock {
  const [lockName, holderName, what, option] = files[work];
  const [lock, holder] = [join(directory, lockName), join(directory, holderName)];
  const opening = `Opening the ${what} in ${directory}`;
  const attempt = <Value>(action: () => Value): Value => {
    try {
      return action();
    } catch (cause) {
      const { seen, remedy } = sqliteProblem(cause);
      throw new LocalStateError(`${opening}: ${seen}. Nothing was published. ${remedy}`, { cause });
    }
  };
  const waiting = `${holder}-waiting`;
  refuseLongPath(lock);
  const database = attempt(() => {
    makeDirectory(directory);
    makeOwnFile(lock);
    return new DatabaseSync(lock, { timeout: 0 });
  });
  const take = (): boolean =>
    attempt(() => {
      try {
        database.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return false;
        throw error;
      }
      writeFileSync(holder, String(process.pid), { mode: 0o600 });
      return true;
    });
  const release = (): void => {
    if (database.isTransaction) database.exec('ROLLBACK');
  };
  const busy = (): LocalStateError =>
    new LocalStateError(
      `${opening}: process ${processIn(holder)} is using it. Wait for it to end, or choose another directory with ${option}.`,
    );
  return {
    take,
    isAwaited: () => clock.now() - Number(textOf(waiting) ?? 0) < AWAITED_MS,
    demand() {
      if (!take()) throw busy();
    },
    async hold(held) {
      const until = clock.now() + LONGEST_WAIT_MS;
      try {
        while (!take()) {
          if (clock.now() + LOOK_EVERY_MS > until) throw busy();
          writeFileSync(waiting, String(clock.now()), { mode: 0o600 });
          await clock.sleep(LOOK_EVERY_MS, signal);
        }
      } finally {
        rmSync(waiting, { force: true });
      }
      try {
        return await held();
      } finally {
        release();
      }
    },
    release,
    close: () => database.close(),
  };
}

const processIn = (file: string): string => textOf(file) ?? '(unknown)';

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
