import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
 * Creates an empty file for its owner alone where there is none. SQLite gives the files beside it the same rights.
 * @throws {NodeJS.ErrnoException} when it cannot be created
 */
export function makeOwnFile(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'a', 0o600));
}
