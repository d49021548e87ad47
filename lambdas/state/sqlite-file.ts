import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeDirectory, makeOwnFile } from './make-directory.ts';
import { refuseLongPath } from './refuse-long-path.ts';
import {
  countWrites,
  type FileGuard,
  guardFile,
  noGuard,
  refuseOverwritten,
  writesTable,
} from './replaced-file.ts';
import { addedNames, indexesOfEarlierVersions, toVersion3, toVersion4 } from './sqlite-earlier-versions.ts';
import { sqliteProblem } from './sqlite-problem.ts';
import { placeTable, schema, statedTables, VERSION } from './sqlite-schema.ts';
import { StateError } from './state-error.ts';

/** The file that holds the state and the history of a local run. */
export interface StateFile {
  /** Path of the file; `:memory:` where it is kept in memory. */
  readonly path: string;
  readonly database: DatabaseSync;
  /** @throws {StateError} `STATE_LOST` when the file was replaced or overwritten since it was opened */
  check(): void;
  /** Runs `work` in one transaction: all of it is kept, or nothing. Checks the file first. */
  transaction<Value>(work: () => Value): Value;
  /** Writes what lies beside the file into it: a copy of the file alone is then whole up to here. */
  checkpoint(): void;
  close(): void;
}

export const FILE_NAME = 'notifier.sqlite';

/** How long a statement waits for another process that writes, in milliseconds. */
const BUSY_MS = 10_000;

/**
 * NORMAL: a killed process loses nothing. A power failure may undo the last writes, whole and in order, and the next poll
 * repeats their events; FULL would wait for the disk three times a chunk.
 */
const PRAGMAS =
  'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 8000';

/** `GPNo`: other programs recognise the file by it. */
const APPLICATION_ID = 0x47504e6f;

/**
 * Opens the state file of a directory and creates both where they are missing.
 * @param directory kept in memory where absent
 * @throws {StateError} when the directory or file cannot be used, is damaged, or was written by a newer version
 */
export function openStateFile(directory?: string): StateFile {
  const path = directory === undefined ? ':memory:' : join(directory, FILE_NAME);
  try {
    if (directory !== undefined) {
      refuseLongPath(path);
      makeDirectory(directory);
      refuseOverwritten(path);
      makeOwnFile(path);
    }
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS });
    try {
      prepareFile(database, path);
      return stateFile(database, path, directory === undefined ? noGuard : guardFile(database, path));
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (cause) {
    if (cause instanceof StateError) throw cause;
    const { code, seen, remedy } = sqliteProblem(cause);
    throw new StateError(
      code,
      `Opening the state ${directory ?? 'in memory'}: ${seen}. Nothing was published. ${remedy}`,
      { cause },
    );
  }
}

/**
 * Opens the state file of a directory where this user may not write, or on a read-only file system: reading usually
 * writes beside the file.
 * @throws {StateError} when it cannot be read either
 */
export function openUnwritableStateFile(directory: string): StateFile {
  const path = join(directory, FILE_NAME);
  try {
    // Without a write-ahead log no process writes, and SQLite may take it as fixed.
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    const location = log && log.size > 0 ? path : new URL(`${pathToFileURL(path)}?immutable=1`);
    const database = new DatabaseSync(location, { readOnly: true, timeout: BUSY_MS });
    if (refuseNewer(database, path) < 4) database.exec(indexesOfEarlierVersions);
    return stateFile(database, path, noGuard);
  } catch (cause) {
    if (cause instanceof StateError) throw cause;
    const { code, seen, remedy } = sqliteProblem(cause);
    throw new StateError(code, `Reading the state in ${directory}: ${seen}. ${remedy}`, { cause });
  }
}

/**
 * Opens a state file once more, for another thread of a process that has it open. That process guards it; the writes of this
 * thread count as its own.
 */
export function openStateFileAgain(path: string): StateFile {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS });
  // A thread that writes reads little of what it wrote: the memory of this process is for the other one.
  database.exec(`${PRAGMAS}; PRAGMA cache_size = -2000`);
  return stateFile(database, path, { ...noGuard, count: countWrites(database) });
}

function stateFile(database: DatabaseSync, path: string, guard: FileGuard): StateFile {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const changes = database.prepare('SELECT total_changes() AS changes');
  return {
    path,
    database,
    check: guard.check,
    transaction(work) {
      guard.check();
      begin.run();
      try {
        const before = changes.get()?.changes;
        const value = work();
        if (changes.get()?.changes !== before) guard.count();
        commit.run();
        guard.note();
        return value;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    // It does not wait for readers: what they still need stays beside the file until the next time.
    checkpoint() {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      guard.note();
    },
    close() {
      database.close();
      guard.close();
    },
  };
}

function prepareFile(database: DatabaseSync, path: string): void {
  database.exec(PRAGMAS);
  const version = refuseNewer(database, path);
  if (version > 0) {
    addNames(database);
    if (version < VERSION) raiseVersion(database, path);
    // Earlier versions of this form lack it, and ignore it.
    database.exec(placeTable);
    database.exec(statedTables);
    if (!hasTable(database, 'writes')) database.exec(writesTable);
    return;
  }
  database.exec(
    `BEGIN IMMEDIATE; ${schema} ${placeTable} ${statedTables} ${writesTable} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; COMMIT`,
  );
}

/** Adds what names need to a file from before they were kept. */
function addNames(database: DatabaseSync): void {
  for (const [table, statements] of Object.entries(addedNames)) {
    if (hasTable(database, table)) continue;
    database.exec('BEGIN IMMEDIATE');
    // Another process may have been first.
    if (!hasTable(database, table)) database.exec(statements);
    database.exec('COMMIT');
  }
}

function raiseVersion(database: DatabaseSync, path: string): void {
  database.exec('BEGIN IMMEDIATE');
  // Another process may have been first.
  const version = refuseNewer(database, path);
  if (version < 3) database.exec(toVersion3);
  if (version < 4) database.exec(toVersion4);
  database.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
}

/** Whether a file has a table: one of an earlier version may lack it. */
export const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;

/** The format of the file, which is one that this version knows. */
function refuseNewer(database: DatabaseSync, path: string): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (version > VERSION) {
    throw new StateError(
      'STATE_NEWER',
      `Opening the state in ${path}: it was written in format ${version}, by a newer version of the notifier; this one knows format ${VERSION}. Nothing was published. Install the newer version again, or choose another directory with --state.`,
    );
  }
  return version;
}
