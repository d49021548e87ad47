import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { emitWarning, platform } from 'node:process';
import { StateError } from './state-error.ts';

/**
 * Creates a directory, for its owner alone, and those above it. Node's own `recursive` never returns where a directory cannot be created
 * although the one above it exists, as in `/proc`.
 * @throws {NodeJS.ErrnoException} when a directory cannot be created, or a file is in its place
 */
export function makeDirectory(path: string, mode = 0o700): void {
  const directory = resolve(path);
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory), 0o777);
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Creates an empty file for its owner alone where there is none. One that everybody may read is made its owner's alone, as are the
 * files that SQLite writes beside it; where that cannot be, the process warns. Rights of a group stay.
 * @throws {NodeJS.ErrnoException} when it cannot be created
 */
export function makeOwnFile(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || (found.mode & 0o007) === 0 || platform === 'win32') continue;
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      emitWarning(
        `Everybody on this machine may read ${file}, which may name people and decisions. Its mode could not be set to 0600 (${code}): let its owner do so.`,
      );
    }
  }
}

/** SQLite opens a path of 512 bytes at most, with the endings of the files beside it. */
const LONGEST_PATH = 490;

/**
 * Refuses a path that SQLite would call a file that cannot be opened.
 * @throws {StateError} `STATE_UNAVAILABLE`, with the length
 */
export function refuseLongPath(path: string): void {
  const bytes = Buffer.byteLength(resolve(path));
  if (bytes <= LONGEST_PATH) return;
  throw new StateError(
    'STATE_UNAVAILABLE',
    `Opening the state in ${path}: its path has ${bytes} bytes, and SQLite opens paths of at most ${LONGEST_PATH}. Nothing was published. Choose a shorter path with --state.`,
  );
}
