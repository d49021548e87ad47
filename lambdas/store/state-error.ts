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
