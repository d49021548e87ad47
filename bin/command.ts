import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../lambdas/run/clock.ts';
import type { Instant } from '../lambdas/run/instant.ts';

/** What a command uses of the process that runs it. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** What is kept is read as it was at this instant, which the clock shows; absent where it is read as it is. */
  readonly asOf?: Instant;
  /** The clock of the present, where `clock` shows that instant. */
  readonly present?: Clock;
  /**
   * Aborted when the person presses Ctrl-C or the process gets SIGTERM. For a command that never reads it, either
   * ends the process at once.
   */
  readonly signal: AbortSignal;
  /** The module that writes the chunks of a backlog in a thread of its own; absent where one thread does all. */
  readonly writerThread?: URL;
}

/** One subcommand of `gene-panel-notifier`. */
export interface Command {
  readonly name: string;
  /** What `--help` prints: synopsis, options with their defaults, exit codes, an example. */
  readonly usage: string;
  /** Returns the exit code: 0 done, 1 failed, 2 wrong arguments (thrown as `UsageError`), 3 a name is unknown, 130 stopped. */
  run(args: readonly string[], io: Io): Promise<number>;
}

/** The arguments are wrong; the message says what was seen and what was expected. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  readonly exitCode: number = 2;
}

/** A name in the arguments is that of nothing, or of several; the message says which. */
export class UnknownNameError extends UsageError {
  override readonly name = 'UnknownNameError';
  override readonly exitCode = 3;
}

/** Output cannot be written; what was written before is whole. */
class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code = 'OUTPUT_UNWRITABLE';
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EACCES: 'this user may not write there',
  ENOENT: 'there is no such directory',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of this path is not a directory',
  EEXIST: 'a file with this name exists already',
  EROFS: 'the file system is read-only',
  EIO: 'the disk failed',
};

/** The error of a stream or file that takes no more. */
export function unwritable(where: string, cause: unknown): OutputError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new OutputError(
    `Writing to ${where}: ${(code && reasons[code]) ?? message}. Nothing is lost: run the command again.`,
    { cause },
  );
}

/** The state directory cannot be used. */
export class LocalStateError extends Error {
  override readonly name = 'LocalStateError';
  readonly code = 'STATE_UNUSABLE';
}

/** Resolves once the signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
