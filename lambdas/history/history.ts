import type { Instant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';
import type { Filter } from '../subscriptions/filter.ts';

/** A published event as it is kept: the body is what subscribers got, byte for byte. */
export type HistoryRecord = Pick<Message, 'id' | 'topic' | 'body'>;

/** Which events are asked for; without a key, every event. */
export interface HistoryQuery {
  /** Configured name of the catalogue; every catalogue where absent. */
  readonly catalogue?: string;
  /** Earliest `time` of an event, inclusive. */
  readonly since?: Instant;
  /** Latest `time` of an event, exclusive. */
  readonly until?: Instant;
  readonly filter?: Filter;
  /** Words that all occur in the summary, the names or the rows of the log, in any letter case. */
  readonly text?: string;
  /** By `time`; `newest` first unless stated. */
  readonly order?: 'newest' | 'oldest';
  /** The greatest number of events given. */
  readonly limit?: number;
}

/** The period of which the history of one catalogue holds every event. */
export interface Coverage {
  readonly catalogue: string;
  /** `time` of the oldest and of the newest event that is kept. */
  readonly oldest: Instant;
  readonly newest: Instant;
}

/**
 * Every event that was published, once. Events without a `time` (rows of the log that could not be read) are
 * kept under the time at which they were appended.
 */
export interface History {
  /**
   * Keeps events; those that are kept already, by `id`, stay as they are.
   * @throws {HistoryError} when the store cannot be written
   */
  append(records: readonly HistoryRecord[]): Promise<void>;
  /**
   * The events asked for, read in pages as they are consumed.
   * @throws {HistoryError} when the store cannot be read
   */
  find(query: HistoryQuery): AsyncIterable<PanelEvent>;
  /**
   * As `find`, with the bodies as they were published.
   * @throws {HistoryError} when the store cannot be read
   */
  records(query: HistoryQuery): AsyncIterable<HistoryRecord>;
  /**
   * One entry for each catalogue of which events are kept.
   * @throws {HistoryError} when the store cannot be read
   */
  coverage(): Promise<readonly Coverage[]>;
}

export type HistoryErrorCode =
  | 'HISTORY_UNAVAILABLE'
  | 'HISTORY_UNUSABLE'
  | 'HISTORY_DAMAGED'
  | 'HISTORY_FULL'
  | 'HISTORY_LOCKED'
  | 'HISTORY_NEWER';

/** The history cannot be read or written; what was kept before is as it was. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
