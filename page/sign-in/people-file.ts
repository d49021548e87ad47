import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory, makeOwnFile } from '../../lambdas/state/make-directory.ts';
import { sqliteProblem } from '../../lambdas/state/sqlite-problem.ts';
import { StateError } from '../../lambdas/state/state-error.ts';

/** Times are in milliseconds since the epoch. `hash` is the SHA-256 of what the cookie holds: the file opens no session. */
const tables = `
CREATE TABLE IF NOT EXISTS session (
  hash TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  name TEXT NOT NULL,
  account TEXT NOT NULL,
  role TEXT NOT NULL,
  provider_session TEXT,
  began INTEGER NOT NULL,
  seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_by_person ON session (person);
`;

/** How long a statement waits for another process that writes, in milliseconds. */
const BUSY_MS = 10_000;

/**
 * Opens the file that holds what the page keeps of people, and creates it where it is missing, for this user alone.
 * @param folder kept in memory where absent
 * @throws {StateError} when it cannot be used
 */
export function openPeopleFile(folder?: string): DatabaseSync {
  const path = folder === undefined ? ':memory:' : join(folder, 'people.sqlite');
  try {
    if (folder !== undefined) {
      makeDirectory(folder);
      makeOwnFile(path);
    }
    const database = new DatabaseSync(path, { timeout: BUSY_MS });
    database.exec(`PRAGMA journal_mode = WAL; ${tables}`);
    return database;
  } catch (cause) {
    if (cause instanceof StateError) throw cause;
    const { code, seen, remedy } = sqliteProblem(cause);
    throw new StateError(code, `Opening what the page keeps of people in ${path}: ${seen}. ${remedy}`, {
      cause,
    });
  }
}
