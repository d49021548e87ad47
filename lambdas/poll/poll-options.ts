import type { Catalogue } from '../catalogue/client.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { RatingsBefore } from '../panels/ratings-before.ts';
import type { Message, Publisher } from '../publishing/message.ts';
import type { Clock } from '../run/clock.ts';
import type { Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { History } from '../store/history/history.ts';
import type { StateStore } from '../store/store.ts';

/** What one poll of one catalogue needs. */
export interface PollOptions {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly store: StateStore;
  readonly publisher: Publisher;
  /** Keeps published events, and shows which events a sweep published before; neither where absent. */
  readonly history?: History;
  /** The ratings that states of panels show; absent where none is kept. */
  readonly ratingsBefore?: RatingsBefore;
  /** What panels held: gives events ids and signed-off versions; neither where absent. */
  readonly states?: PanelStateStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How far before the mark to look for rows that the log shows late, in microseconds. */
  readonly overlap: Instant;
  /** Where a first poll starts; without it, at the newest row, and nothing is published. */
  readonly from?: Instant;
  /** The address that the catalogue had before it moved: a mark that belongs to it is taken over. */
  readonly movedFrom?: string;
  /** A first poll learns ratings from rows since then, without publishing them. */
  readonly learnSince?: Instant;
  /** A log that lost more of its rows than this since the poll before has shrunk; 10 by default. */
  readonly shrunkenLogPercent?: number;
  /** The search before the overlap that a sweep asks for. */
  readonly searchRequest?: SearchRequest;
  /** Whether the history states how far the log was read where it has no new rows: after polls of sweeps it does. */
  readonly notesCoverage?: boolean;
  /** Pages that a search before the overlap may ask for in this poll. */
  readonly searchPages?: number;
  /** Milliseconds since the epoch after which no further chunk is begun. */
  readonly deadline?: number;
  /** Gets the messages of a chunk once SNS accepted them. */
  readonly onPublished?: (messages: readonly Message[]) => void;
}

/** The search that a sweep asks a poll for, because panels appeared or vanished. */
export interface SearchRequest {
  /** Search every row since then: a panel that came back may have rows that were written while it was hidden. */
  readonly since: Instant | null;
  /** Whether a panel is listed for the first time: all of its rows showed up, and those since the start are searched. */
  readonly newPanels: boolean;
  /** Whether panels that came back explain additional rows, and panels that vanished explain missing ones. */
  readonly explains: { readonly more: boolean; readonly fewer: boolean };
}
