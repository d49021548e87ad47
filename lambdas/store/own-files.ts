import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
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

interface WholeLinesOptions {
  /** Removes what the file held. */
  readonly replaces?: boolean;
  /** Of a file that is created. */
  readonly mode?: number;
  /** Whether each text is on the disk before `write` returns. */
  readonly syncs?: boolean;
}

/**
 * Opens a file for whole lines. A line that an earlier process left unfinished is ended, so that the next one stands alone.
 * @throws {NodeJS.ErrnoException} when it cannot be written
 */
export function openWholeLines(
  path: string,
  { replaces = false, mode = 0o666, syncs = false }: WholeLinesOptions = {},
) {
  const handle = openSync(path, 'a+', mode);
  try {
    const isFile = fstatSync(handle).isFile();
    if (replaces && isFile) ftruncateSync(handle);
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    if (size > 0) {
      readSync(handle, last, 0, 1, size - 1);
      if (last.toString() !== '\n') writeSync(handle, '\n');
    }
    return {
      /** Whether the file had lines already. */
      begun: size > 0,
      /**
       * Appends a text whole or not at all: where the disk takes a part of it only, that part is cut off again.
       * @throws {NodeJS.ErrnoException} when it was not written
       */
      write(text: string | Buffer): void {
        const bytes = typeof text === 'string' ? Buffer.from(text) : text;
        const before = fstatSync(handle).size;
        try {
          for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
          if (syncs) fsyncSync(handle);
        } catch (error) {
          if (isFile) ftruncateSync(handle, before);
          throw error;
        }
      },
      close: (): void => closeSync(handle),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}
