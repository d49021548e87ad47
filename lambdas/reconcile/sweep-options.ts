import type { Catalogue } from '../catalogue/client.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { SearchRequest } from '../poll/bookkeeping.ts';
import type { Alone } from '../poll/poll-alone.ts';
import type { PollReport } from '../poll/report.ts';
import type { Message } from '../publishing/message.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import type { Documents } from '../store/documents.ts';
import type { History } from '../store/history/history.ts';
import type { StateStore } from '../store/store.ts';

/** Pages that a poll of the log may spend, in a sweep, on rows that were written while a panel was hidden. */
export const searchPagesOfSweep = 60;

/** Pages of both listings that a sweep may ask for; where they have more, the next sweep goes on. */
export const listingRequestsOfSweep = 60;

/** Polls the log. `request` is the search before the overlap; null for none. */
type ReadLog = (request: SearchRequest | null) => Promise<LogReading>;

/** How far the log was read. */
interface LogReading {
  /** Whether it was read to its end; nothing is published from the listings otherwise. */
  readonly complete: boolean;
  /** Whether a search for rows that showed up goes on: it may find rows of panels that came back. */
  readonly searching: boolean;
}

/** How far a poll read the log, by its report. */
function readingOf({ outcome, searching, waiting }: PollReport): LogReading {
  const ended = outcome === 'quiet' || outcome === 'published' || outcome === 'begun';
  // A row that waits for its paired row is not published yet.
  return { complete: ended && waiting === 0, searching };
}

interface LogOfSweep {
  readonly store: Pick<StateStore, 'load'>;
  /** Polls the log with a search that the sweep asks for. */
  readonly poll: (request: SearchRequest | null) => Promise<PollReport>;
  readonly log: Log;
}

/**
 * Reads the log by a poll. A catalogue that no poll has begun is not read: where it begins is for a poll to decide, by
 * the settings, and for good.
 */
export function createReadLog({ store, poll, log }: LogOfSweep): ReadLog {
  return async (request) => {
    if (await store.load(0n)) return readingOf(await poll(request));
    log.warn('The log was not read: no poll has begun with this catalogue. Run a poll first.');
    return { complete: false, searching: false };
  };
}

/** What one sweep of one catalogue needs. */
export interface SweepOptions {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  /** Returns the events that rows of a panel gave, and keeps what the sweep publishes. */
  readonly history: Pick<History, 'append' | 'find'>;
  /** What the poller published and knows: a sweep follows its events, and teaches it what the listings show. */
  readonly state: Pick<StateStore, 'load' | 'listing' | 'saveListing' | 'published' | 'silent' | 'learn'>;
  /** Returns ids of entities and signed-off versions; absent where no states of panels are kept. */
  readonly states?: Pick<PanelStateStore, 'newest' | 'signOffs'>;
  readonly publisher: Publisher;
  /** Keeps other runs from publishing meanwhile; absent where there are none. */
  readonly alone?: Alone;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the activity log to its end and publishes its rows: a change that has a row is reported from the log. */
  readonly readLog: ReadLog;
  /** A listing that lost more of its panels or regions than this, in percent, is not trusted. */
  readonly shrunkenPercent: number;
  /** Where more of the panels than this, in percent, have the same kind of change, it waits for a later sweep. */
  readonly sameChangePercent: number;
  /** Whether a person accepts what the listings show: then nothing waits. */
  readonly accept?: boolean;
  /** Pages of both listings that it may ask for; `listingRequestsOfSweep` where absent. */
  readonly listingRequests?: number;
  /** Milliseconds since the epoch after which no further page is asked for, and no further chunk is begun. */
  readonly deadline?: number;
  /** Gets the messages of a chunk once SNS accepted them. */
  readonly onPublished?: (messages: readonly Message[]) => void;
}
