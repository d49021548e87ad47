import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory and those above it. Node's own `recursive` never returns where a directory cannot be created
 * although the one above it exists, as in `/proc`.
 * @throws {NodeJS.ErrnoException} when a directory cannot be created, or a file is in its place
 */
export function makeDirectory(path: string): void {
  const directory = resolve(path);
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
