import type { Alone } from '../poll/poll-alone.ts';
import { type Message, type Publisher, publishOrQuarantine } from '../publishing/message.ts';
import type { Clock } from '../run/clock.ts';
import type { Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Documents } from '../store/documents.ts';
import type { History } from '../store/history/history.ts';

/** What a run needs that publishes what it finds without a row: it records the events, publishes them, and then advances. */
export interface FindingRun {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly documents: Documents;
  readonly history: Pick<History, 'append'>;
  readonly publisher: Publisher;
  /** Keeps other runs from publishing meanwhile; absent where there are none. */
  readonly alone?: Alone;
  readonly clock: Clock;
  readonly log: Log;
  /** Gets the messages that were accepted. */
  readonly onPublished?: (messages: readonly Message[]) => void;
}

/**
 * Publishes recorded messages, and keeps them in the history. Listings and states settle no row of the log, so that the period which they
 * cover is empty.
 * @param at when what shows them was so, or what says so once they are published
 * @throws {PublishError | HistoryError} when a topic or the history does not take them
 */
export async function publishFound(
  messages: readonly Message[],
  at: Instant | (() => Instant),
  run: Pick<FindingRun, 'name' | 'history' | 'publisher' | 'log' | 'onPublished'>,
): Promise<readonly Message[]> {
  const published = await publishOrQuarantine(messages, run);
  const then = typeof at === 'function' ? at() : at;
  await run.history.append(published, { catalogue: run.name, since: then, until: then });
  run.onPublished?.(published);
  return published;
}
