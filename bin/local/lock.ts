import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory, makeOwnFile } from '../../lambdas/store/make-directory.ts';
import { refuseLongPath } from '../../lambdas/store/refuse-long-path.ts';
import { sqliteProblem } from '../../lambdas/store/sqlite-problem.ts';
import { LocalStateError } from './state-error.ts';

/**
 * Locks a state directory, so that only this process polls with it; gives the function that unlocks it. The operating
 * system releases the lock when the process ends, however that ends. Readers need no lock.
 * @throws {LocalStateError} when another process polls with it, or the directory cannot be used
 */
export function lockForPolling(directory: string): () => void {
  const holder = join(directory, 'process');
  let database: DatabaseSync | undefined;
  refuseLongPath(holder);
  try {
    makeDirectory(directory);
    const lock = join(directory, 'lock.sqlite');
    makeOwnFile(lock);
    database = new DatabaseSync(lock, { timeout: 0 });
    database.exec('BEGIN IMMEDIATE');
    writeFileSync(holder, String(process.pid), { mode: 0o600 });
  } catch (cause) {
    database?.close();
    const { seen, remedy } = sqliteProblem(cause);
    const locked = (cause as { readonly errcode?: number }).errcode === SQLITE_BUSY;
    throw new LocalStateError(
      locked
        ? `Opening the state in ${directory}: process ${processIn(holder)} is using it. Wait for it to end, or choose another directory with --state.`
        : `Opening the state in ${directory}: ${seen}. Nothing was published. ${remedy}`,
      { cause },
    );
  }
  return () => database.close();
}

const SQLITE_BUSY = 5;

function processIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '(unknown)';
  }
}
