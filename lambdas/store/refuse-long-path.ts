import { resolve } from 'node:path';
import { StateError } from './state-error.ts';

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
