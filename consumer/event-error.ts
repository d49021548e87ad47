import { unprintableBut } from '../lambdas/run/unprintable.ts';

/** Why a record is not an event that this version of the package can read, or not one to be trusted. */
export type EventErrorCode =
  | 'NOT_JSON'
  | 'NOT_AN_EVENT'
  | 'NEWER_EVENT'
  | 'INVALID_EVENT'
  | 'NOT_SIGNED'
  | 'REPEATED';

/** Line breaks stay: the list of what does not match a schema has them. */
const unprintable = unprintableBut('\n');

/**
 * A record cannot be read as an event. The message says what was seen and what was expected. What it quotes comes from outside, and
 * steers no terminal and no page that shows it.
 */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly code: EventErrorCode;

  constructor(code: EventErrorCode, message: string, options?: ErrorOptions) {
    super(message.toWellFormed().replace(unprintable, '\ufffd'), options);
    this.code = code;
  }
}
