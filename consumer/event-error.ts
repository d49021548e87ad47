/** Why a record is not an event that this version of the package can read, or not one to be trusted. */
export type EventErrorCode =
  | 'NOT_JSON'
  | 'NOT_AN_EVENT'
  | 'NEWER_EVENT'
  | 'INVALID_EVENT'
  | 'NOT_SIGNED'
  | 'REPEATED';

/** A record cannot be read as an event. The message says what was seen and what was expected. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly code: EventErrorCode;

  constructor(code: EventErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
