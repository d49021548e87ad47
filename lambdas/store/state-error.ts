/** Why the state cannot be used; `docs/runbook.md` says what to do. */
export type StateErrorCode =
  | 'STATE_CONFLICT'
  | 'STATE_LOST'
  | 'STATE_CORRUPT'
  | 'STATE_NEWER'
  | 'STATE_UNAVAILABLE';

/** The state cannot be read or written; the mark is unchanged. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code: StateErrorCode;

  constructor(code: StateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The error for a stored part of the state that is damaged.
 * @param what the part, as in `the position of catalogue "uk" in table "notifier"`
 * @param remedy what to do, as a sentence
 */
export function damagedState(what: string, cause: unknown, remedy: string): StateError {
  const seen = cause instanceof Error ? cause.message : String(cause);
  return new StateError(
    'STATE_CORRUPT',
    `Reading ${what}: it is damaged (${seen}). Nothing was published. ${remedy}`,
    { cause },
  );
}

/**
 * What is read of a stored part of the state.
 * @throws {StateError} `STATE_CORRUPT` when `read` throws; `what` and `remedy` as for `damagedState`
 */
export function orDamaged<Value>(what: string, remedy: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw damagedState(what, cause, remedy);
  }
}

/** What is wrong with a SQLite file, in words for the person who runs the command. */
interface SqliteProblem {
  readonly code: StateErrorCode;
  readonly seen: string;
  readonly remedy: string;
}

const FULL: SqliteProblem = {
  code: 'STATE_UNAVAILABLE',
  seen: 'the disk is full',
  remedy: 'Free some space, then run the command again: what was kept before is unchanged.',
};

/** SQLITE_IOERR_SHMSIZE: the memory beside the write-ahead log cannot grow, which needs space on the disk. */
const NO_SPACE_BESIDE = 4874;

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const problems: Readonly<Record<number, SqliteProblem>> = {
  5: {
    code: 'STATE_UNAVAILABLE',
    seen: 'another process is writing to it',
    remedy: 'Wait for that process to end, or choose another directory with --state.',
  },
  8: {
    code: 'STATE_UNAVAILABLE',
    seen: 'it can be read but not written',
    remedy:
      'Give this user the right to write there, or name another directory with --state, such as a copy.',
  },
  10: {
    code: 'STATE_UNAVAILABLE',
    seen: 'the disk failed to read or write it',
    remedy: 'Check the disk, then run the command again: what was kept before is unchanged.',
  },
  11: damaged('its file is damaged'),
  13: FULL,
  14: {
    code: 'STATE_UNAVAILABLE',
    seen: 'the file cannot be opened',
    remedy:
      'Give this user the right to write there, or name another directory with --state, such as a copy.',
  },
  26: damaged('its file is not a database'),
};

function damaged(seen: string): SqliteProblem {
  return {
    code: 'STATE_CORRUPT',
    seen,
    remedy:
      'Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.',
  };
}

const systemProblems: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOENT: 'the directory cannot be created',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file, not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Describes an error of `node:sqlite`, or of the file system below it. */
export function sqliteProblem(error: unknown): SqliteProblem {
  const { code, errcode, message } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  if (errcode === NO_SPACE_BESIDE) return FULL;
  const known = errcode === undefined ? undefined : problems[errcode & 0xff];
  if (known) return known;
  return {
    code: 'STATE_UNAVAILABLE',
    seen: (code && systemProblems[code]) ?? message,
    remedy: 'Choose another directory with --state.',
  };
}

/**
 * Does what SQLite, or the file system below it, may refuse.
 * @param action what is being done, as a gerund: `Reading the messages in state.sqlite`
 * @param unchanged what a failure leaves as it was, as a sentence
 * @throws {StateError} saying what was seen and what to do; one that `work` throws stays as it is
 */
export function sqliteCall<Value>(action: string, work: () => Value, unchanged?: string): Value {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StateError) throw cause;
    const { code, seen, remedy } = sqliteProblem(cause);
    const sentences = [`${action}: ${seen}.`, ...(unchanged === undefined ? [] : [unchanged]), remedy];
    throw new StateError(code, sentences.join(' '), { cause });
  }
}
