type PollErrorCode =
  | 'CATALOGUE_CHANGED'
  | 'LOG_EMPTY'
  | 'LOG_UNREADABLE'
  | 'REQUEST_BUDGET_SPENT'
  | 'START_WRONG';

/** The log cannot be read on; the mark is unchanged. */
export class PollError extends Error {
  override readonly name = 'PollError';
  readonly code: PollErrorCode;

  constructor(code: PollErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
