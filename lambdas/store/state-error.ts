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
