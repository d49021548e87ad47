import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Io } from './command.ts';

/** A file cannot be read, or is not what a command reads. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly code = 'INPUT_UNREADABLE';
}

/** A file, or standard input where it is `-`. */
export interface Input {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
}

/**
 * The text of a file, or of standard input for `-`.
 * @throws {InputError} when it cannot be read.
 */
export async function readInput(file: string, { stdin }: Pick<Io, 'stdin'>): Promise<Input> {
  const name = file === '-' ? 'standard input' : file;
  try {
    return { name, text: file === '-' ? await text(stdin) : await readFile(file, 'utf8') };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new InputError(`Reading ${name}: ${(code && reasons[code]) ?? message}.`, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
};
