import type { Readable, Writable } from 'node:stream';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
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

const REFUSED =
  /^(ExpiredToken|ExpiredTokenException|InvalidClientTokenId|UnrecognizedClientException|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSignatureException|RequestExpired)$/;
const DENIED = /^(AccessDenied|AccessDeniedException|AuthorizationError|NotAuthorized)/;
const NO_ANSWER = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** What an error of the AWS SDK means for the person who runs a command. */
export function awsProblem(cause: unknown) {
  const { name = 'Error', message = String(cause), code = '' } = cause as NodeJS.ErrnoException;
  if (/^Region (?:is missing|not accepted)/.test(message)) {
    return { seen: 'no AWS region is set', remedy: 'Set AWS_REGION, such as AWS_REGION=eu-west-2.' };
  }
  if (/CredentialsProviderError|TokenProviderError/.test(name)) {
    return {
      seen: `there are no AWS credentials (${message})`,
      remedy: 'Sign in, for example with aws sso login, and name the profile in AWS_PROFILE.',
    };
  }
  if (REFUSED.test(name)) {
    return {
      seen: `AWS refused the credentials (${name}: ${message})`,
      remedy: 'Sign in again, and check AWS_PROFILE and the clock of this machine.',
    };
  }
  if (DENIED.test(name)) {
    return {
      seen: `access denied: ${message}`,
      remedy: 'docs/permissions.md lists the rights that this needs.',
    };
  }
  if (name === 'ResourceNotFoundException' || name === 'QueueDoesNotExist' || name === 'NotFoundException') {
    return {
      seen: `it does not exist (${message})`,
      remedy: 'Check its name, AWS_REGION, and the account of AWS_PROFILE.',
    };
  }
  if (NO_ANSWER.test(code) || name === 'TimeoutError') {
    return {
      seen: `AWS does not answer (${message})`,
      remedy: 'Check the network, the proxy and AWS_REGION, then run the command again.',
    };
  }
  return { seen: `${name}: ${message}`, remedy: 'Check AWS_REGION, AWS_PROFILE and the rights of the role.' };
}

/** The stack of a deployed stage cannot be read. */
export class DeployedStageError extends Error {
  override readonly name = 'DeployedStageError';
  readonly code = 'STAGE_UNREADABLE';
}

/**
 * The message of an error that a table caused, for the person who runs a command. The error itself is worded for a
 * function, whose next run tries again; a person needs to know what to do. Null where AWS did not cause it.
 */
export function explainAwsError({ message, cause }: Error): string | null {
  if (!(cause instanceof Error)) return null;
  const isAws =
    '$metadata' in cause || /ProviderError$/.test(cause.name) || cause.message.startsWith('Region ');
  const end = message.indexOf(`: ${cause.name}: `);
  if (!isAws || end < 0) return null;
  const { seen, remedy } = awsProblem(cause);
  return `${message.slice(0, end)}: ${seen}. ${remedy}`;
}

/**
 * Keeps the memory of this process near what its work holds at once, which is small. By default the engine gives young
 * objects up to 48 MB a thread, and lets old ones double before it collects them. Measured with a backlog of 50,000 rows:
 * 183 to 189 MB in place of 383 MB. To be called once what the work needs is loaded, and before it begins.
 */
export function boundHeap(): void {
  boundYoungObjects();
  setFlagsFromString('--heap-growing-percent=60');
}

/**
 * The same for young objects alone: what a question holds until it is answered is collected less often. A worklist of 5,258 entries takes
 * 550 in place of 670 ms of CPU with as much memory, and a whole history 137 in place of 112 MB.
 */
export const boundYoungObjects = (): void => growYoungSpace(1);

/** The space of young objects in which a backlog is read fast: with less, many that soon die are kept as old ones. */
const YOUNG_BYTES = 2 * 1024 * 1024;

/** The same for a history that is read for an answer: it is collected half as often. */
const ANSWER_BYTES = 2 * YOUNG_BYTES;

/**
 * Lets the space of young objects of this thread grow, while a backlog or a history is read, up to a size. To be called again and
 * again: it grows when objects survive in it, each time to the double.
 */
export function allowYoungObjects(of: 'backlog' | 'answer' = 'backlog'): void {
  const most = of === 'answer' ? ANSWER_BYTES : YOUNG_BYTES;
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  growYoungSpace((space?.space_size ?? most) < most ? 2 : 1);
}

const growYoungSpace = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
