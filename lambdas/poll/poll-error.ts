export type PollErrorCode = 'LOG_EMPTY' | 'LOG_UNREADABLE' | 'CHUNK_TOO_LARGE';

/** The log cannot be told; the mark is where it was. */
export class PollError extends Error {
  override readonly name = 'PollError';
  readonly code: PollErrorCode;

  constructor(code: PollErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
