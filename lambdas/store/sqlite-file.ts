import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { type Clock, systemClock } from '../run/clock.ts';
import { instantOf } from '../run/instant.ts';
import { makeDirectory, makeOwnFile, refuseLongPath } from './own-files.ts';
import { FORMAT, schema } from './sqlite-schema.ts';
import { StateError, sqliteCall } from './state-error.ts';

/** The file that holds the state and the history of a local run. */
export interface StateFile {
  /** Path of the file; `:memory:` where it is kept in memory. */
  readonly path: string;
  readonly database: DatabaseSync;
  /** @throws {StateError} `STATE_LOST` when the file was moved away, or replaced by another one, since it was opened */
  check(): void;
  /** Runs `work` in one transaction: all of it is kept, or nothing. Checks the file first. */
  transaction<Value>(work: () => Value): Value;
  /** Runs `work`, whose reads all find the file as it is at the first of them, whatever other processes write meanwhile. */
  snapshot<Value>(work: () => Value): Value;
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

/** Of the tables themselves, so that a file of a development version, which had others, is refused. */
const APPLICATION_ID = crc32(schema) >>> 1;

/**
 * Opens the state file of a directory and creates both where they are missing.
 * @param directory kept in memory where absent
 * @param clock says when what is written was recorded
 * @throws {StateError} when the directory or file cannot be used, is damaged, or was written in another format
 */
export function openStateFile(directory?: string, clock: Pick<Clock, 'now'> = systemClock): StateFile {
  const path = directory === undefined ? ':memory:' : join(directory, FILE_NAME);
  const open = (): StateFile => {
    if (directory !== undefined) {
      refuseLongPath(path);
      makeDirectory(directory);
      makeOwnFile(path);
    }
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS });
    try {
      prepareFile(database, path);
      return stateFile(database, path, directory === undefined ? () => {} : sameFileAs(path), clock);
    } catch (error) {
      database.close();
      throw error;
    }
  };
  return sqliteCall(`Opening the state ${directory ?? 'in memory'}`, open, 'Nothing was published.');
}

/**
 * Opens the state file of a directory that has one to read it, also where this user may not write.
 * @throws {StateError} as `openStateFile`
 */
export function openReadableStateFile(directory: string): StateFile {
  try {
    return openStateFile(directory);
  } catch (error) {
    if (!(error instanceof StateError && error.code === 'STATE_UNAVAILABLE')) throw error;
    return openUnwritableStateFile(directory);
  }
}

/**
 * Opens the state file of a directory where this user may not write, or on a read-only file system: reading usually
 * writes beside the file.
 * @throws {StateError} when it cannot be read either
 */
export function openUnwritableStateFile(directory: string): StateFile {
  const path = join(directory, FILE_NAME);
  return sqliteCall(`Reading the state in ${directory}`, () => {
    // Without a write-ahead log no process writes, and SQLite may take it as fixed.
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    const location = log && log.size > 0 ? path : new URL(`${pathToFileURL(path)}?immutable=1`);
    const database = new DatabaseSync(location, { readOnly: true, timeout: BUSY_MS });
    refuseOtherFormats(database, path);
    return stateFile(database, path, () => {});
  });
}

/**
 * Opens a state file once more, for another thread of a process that has it open and checks it.
 */
export function openStateFileAgain(path: string): StateFile {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS });
  // A thread that writes reads little of what it wrote: the memory of this process is for the other one.
  database.exec(`${PRAGMAS}; PRAGMA cache_size = -2000`);
  return stateFile(database, path, () => {});
}

/** Returns what throws once the file system has no file, or another one, at the path of an open file. */
function sameFileAs(path: string): () => void {
  const opened = statSync(path, { bigint: true });
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (now?.ino === opened.ino && now.dev === opened.dev) return;
    throw new StateError(
      'STATE_LOST',
      `Using the state in ${path}: the file was ${now ? 'replaced by another file' : 'moved away or removed'} while this program had it open. Nothing more is written to it, and nothing was published. Stop every program that uses it, put a copy into an empty folder as ${FILE_NAME}, and name that folder with --state.`,
    );
  };
}

function stateFile(
  database: DatabaseSync,
  path: string,
  check: () => void,
  clock: Pick<Clock, 'now'> = systemClock,
): StateFile {
  // Triggers of the file ask for the time.
  database.function('recording_time', () => instantOf(clock.now()));
  return {
    path,
    database,
    check,
    transaction: transactionsOf(database, check),
    snapshot: transactionsOf(database, check, 'BEGIN DEFERRED'),
    // It does not wait for readers: what they still need stays beside the file until the next time.
    checkpoint: () => database.exec('PRAGMA wal_checkpoint(PASSIVE)'),
    close: () => database.close(),
  };
}

/** Returns what runs work in one transaction, after `check`: all of it is kept, or nothing. */
export function transactionsOf(
  database: DatabaseSync,
  check: () => void,
  beginning: 'BEGIN IMMEDIATE' | 'BEGIN DEFERRED' = 'BEGIN IMMEDIATE',
): StateFile['transaction'] {
  const begin = database.prepare(beginning);
  const commit = database.prepare('COMMIT');
  return (work) => {
    check();
    begin.run();
    try {
      const value = work();
      commit.run();
      return value;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
}

function prepareFile(database: DatabaseSync, path: string): void {
  database.exec(PRAGMAS);
  if (isNew(database)) {
    database.exec('BEGIN IMMEDIATE');
    // Another process may have been first.
    if (isNew(database)) {
      database.exec(`${schema} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
    }
    database.exec('COMMIT');
  }
  refuseOtherFormats(database, path);
}

const pragma = (database: DatabaseSync, name: 'application_id' | 'user_version'): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);

const isNew = (database: DatabaseSync): boolean =>
  pragma(database, 'application_id') === 0 && pragma(database, 'user_version') === 0;

function refuseOtherFormats(database: DatabaseSync, path: string): void {
  const format = pragma(database, 'user_version');
  const isOurs = pragma(database, 'application_id') === APPLICATION_ID;
  if (isOurs && format === FORMAT) return;
  const [code, writer] =
    isOurs && format > FORMAT
      ? (['STATE_NEWER', `a newer version of the notifier wrote it in format ${format}`] as const)
      : (['STATE_CORRUPT', 'a development version of the notifier or another program wrote it'] as const);
  throw new StateError(
    code,
    `Opening the state in ${path}: ${writer}; this one reads format ${FORMAT} alone. Nothing was published. Install the version that wrote it, or choose another directory with --state.`,
  );
}

/** The names of the catalogues that a state file holds a position or documents of, in order. */
export function cataloguesIn({ database }: StateFile): readonly string[] {
  return database
    .prepare('SELECT catalogue FROM followed ORDER BY catalogue')
    .all()
    .map(({ catalogue }) => String(catalogue));
}

const BACKUP = 'backup ';

/** The place of one catalogue's state. */
export function placeOf({ database, path }: StateFile, catalogue: string) {
  const select = database.prepare('SELECT identity FROM place WHERE catalogue = ?');
  const upsert = database.prepare(
    'INSERT INTO place (catalogue, identity) VALUES (?, ?) ON CONFLICT (catalogue) DO UPDATE SET identity = excluded.identity',
  );
  let isSettled = path === ':memory:';
  return {
    /** What shows that the file is a copy, in a sentence; null where nothing does. */
    copied(): string | null {
      if (isSettled) return null;
      const known = select.get(catalogue)?.identity;
      if (typeof known !== 'string' || isSame(known, path)) return null;
      return known.startsWith(BACKUP)
        ? `The file ${path} was restored: it is a backup of ${known.slice(BACKUP.length)}.`
        : `The file ${path} is a copy: it was restored from a backup, or moved here.`;
    },
    /** Remembers the present file; within a transaction. */
    settle(): void {
      if (isSettled) return;
      const { ino, birthtimeNs } = statSync(path, { bigint: true });
      upsert.run(catalogue, `${ino} ${birthtimeNs}`);
      isSettled = true;
    },
  };
}

/** Marks a copy of a state file as a backup, for every catalogue in it. */
export function markAsBackup({ database }: Pick<StateFile, 'database'>, madeAt: string): void {
  database
    .prepare('INSERT OR REPLACE INTO place (catalogue, identity) SELECT catalogue, ? FROM position')
    .run(`${BACKUP}${madeAt}`);
}

/** A file system that does not know when a file was made gives the time of its last change, or none. */
function isSame(known: string, path: string): boolean {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const [knownIno, knownBirth] = known.split(' ');
  return knownIno === String(ino) && (birthtimeNs === ctimeNs || knownBirth === String(birthtimeNs));
}
