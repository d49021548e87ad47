import { closeSync, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StateError } from './state-error.ts';

/** Notices that another file, or another content, was put in the place of a file that is open. */
export interface FileGuard {
  /**
   * Looks at the file as it is on the disk.
   * @throws {StateError} `STATE_LOST` when it was replaced, overwritten or moved away
   */
  check(): void;
  /** Looks at the file as a write or checkpoint of this program left it; a problem is thrown by the next check. */
  note(): void;
  /** Counts a write; within its transaction. */
  count(): void;
  /** Ends the guard; after the database was closed. */
  close(): void;
}

/**
 * How often the file was written to, after a name that no other file has: a copy counts less. It is text of one
 * length, so that the page of the table shows it without SQLite.
 */
export const writesTable = `
CREATE TABLE IF NOT EXISTS writes (count TEXT NOT NULL) STRICT;
INSERT INTO writes (count) SELECT 'writes:' || lower(hex(randomblob(16))) || ':0000000000000000'
WHERE NOT EXISTS (SELECT 1 FROM writes);
`;

/** The SQL that gives a copy a name of its own. */
export const renameWrites = `${writesTable}
UPDATE writes SET count = 'writes:' || lower(hex(randomblob(16))) || substr(count, 40);`;

/** Bytes of a count, and of what is read of a file at once. */
const [COUNT_BYTES, PART_BYTES] = [56, 1 << 20];

/** How often to look before a file counts as another one, and the pause between two looks in milliseconds. */
const [LOOKS, PAUSE_MS] = [4, 60];

const shown = /writes:([0-9a-f]{32}):(\d{16})/g;

const MOVED = 'was moved away or removed';

const REMEDY =
  'What other programs wrote meanwhile may be mixed into it. Stop every program that uses it, put a copy into an empty folder as notifier.sqlite, and name that folder with --state.';

interface Count {
  readonly name: string;
  readonly count: number;
}

function countIn(text: string): Count | null {
  const counts = [...text.matchAll(shown)].map(([, name = '', count]) => ({ name, count: Number(count) }));
  return counts.toSorted((one, other) => other.count - one.count)[0] ?? null;
}

/** The guard of a database in memory. */
export const noGuard: FileGuard = { check: () => {}, note: () => {}, count: () => {}, close: () => {} };

const markOf = (path: string): string => `${path}.overwritten`;

/** @throws {StateError} `STATE_LOST` when a program found that the file was overwritten while it was open */
export function refuseOverwritten(path: string): void {
  const found = statSync(markOf(path), { throwIfNoEntry: false });
  if (!found) return;
  throw new StateError(
    'STATE_LOST',
    `Opening the state in ${path}: it was overwritten while a program had it open, as the file ${markOf(path)} says. Nothing was published. ${REMEDY}`,
  );
}

/**
 * Guards an open file. `writesTable` has to be in it.
 * @throws {StateError} `STATE_LOST` when the file and what lies beside it are of two states
 */
export function guardFile(database: DatabaseSync, path: string): FileGuard {
  const descriptor = openSync(path, 'r');
  const { ino, dev } = fstatSync(descriptor, { bigint: true });
  const within = database.prepare('SELECT count FROM writes');
  holdOpen(`${dev} ${ino}`, descriptor);
  const rootPage = database.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'writes'");
  const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() as {
    readonly page_size: number;
  };

  /** The count as it is on the disk; null where it is not there. */
  const onDisk = (): Count | null => {
    const page = Buffer.alloc(pageSize);
    const { page: number } = rootPage.get() as { readonly page: number };
    readSync(descriptor, page, 0, pageSize, (number - 1) * pageSize);
    return countIn(page.toString('latin1'));
  };

  // In this order: what SQLite reads is never older than the file, as it knows what lies beside it, too.
  let seen = onDisk();
  const own = countIn(String(within.get()?.count));
  const isSound = (found: Count | null): boolean =>
    found === null ? seen === null : found.name === own?.name && found.count >= (seen?.count ?? 0);
  let looked = '';
  let problem: string | null = null;

  const look = (): string | null => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!now) return MOVED;
    if (now.ino !== ino || now.dev !== dev) return 'was replaced by another file';
    const changed = `${now.mtimeNs} ${now.ctimeNs} ${now.size}`;
    if (changed === looked) return null;
    let found = onDisk();
    // Giving space back moves the page: it is still elsewhere on the disk, or is just being copied by another program.
    for (let looks = 0; looks < LOOKS && !isSound(found); looks += 1) {
      if (looks > 0) pause();
      found = anywhereIn(descriptor);
    }
    if (!isSound(found)) return 'was overwritten';
    [seen, looked] = [found, changed];
    return null;
  };

  const guard: FileGuard = {
    note() {
      if (problem !== null) return;
      problem = look();
      if (problem !== null && problem !== MOVED) keepMark(path, problem);
    },
    check() {
      guard.note();
      if (problem === null) return;
      throw new StateError(
        'STATE_LOST',
        `Using the state in ${path}: the file ${problem} while this program had it open. Nothing more is written to it, and nothing was published. ${REMEDY}`,
      );
    },
    count: countWrites(database),
    close: () => letGo(`${dev} ${ino}`),
  };
  guard.check();
  return guard;
}

/** Counts a write each time it is called; within its transaction. */
export function countWrites(database: DatabaseSync): () => void {
  const increment = database.prepare(
    "UPDATE writes SET count = substr(count, 1, 40) || printf('%016d', CAST(substr(count, 41) AS INTEGER) + 1)",
  );
  return () => void increment.run();
}

/** Waits without giving way: nothing may be written before the file is known to be the same. */
const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** The newest count in a file, wherever it is. */
function anywhereIn(descriptor: number): Count | null {
  const part = Buffer.alloc(PART_BYTES);
  let newest: Count | null = null;
  for (let at = 0, read = PART_BYTES; read === PART_BYTES; at += PART_BYTES - COUNT_BYTES) {
    read = readSync(descriptor, part, 0, PART_BYTES, at);
    const found = countIn(part.toString('latin1', 0, read));
    if (found && found.count >= (newest?.count ?? 0)) newest = found;
  }
  return newest;
}

function keepMark(path: string, problem: string): void {
  try {
    writeFileSync(markOf(path), `The file ${problem} while a program had it open.\n`, { mode: 0o600 });
  } catch {
    // The error says it, too.
  }
}

/**
 * Open descriptors by file. Closing one gives up every lock that this process has on the file, those of SQLite too, so
 * that all wait for the last guard.
 */
const held = new Map<string, { guards: number; readonly descriptors: number[] }>();

function holdOpen(file: string, descriptor: number): void {
  const { guards, descriptors } = held.get(file) ?? { guards: 0, descriptors: [] };
  held.set(file, { guards: guards + 1, descriptors: [...descriptors, descriptor] });
}

function letGo(file: string): void {
  const found = held.get(file);
  if (!found) return;
  found.guards -= 1;
  if (found.guards > 0) return;
  held.delete(file);
  for (const descriptor of found.descriptors) closeSync(descriptor);
}
