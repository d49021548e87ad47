import type { Instant } from '../run/instant.ts';

/** How far the log of one catalogue was read and published. */
export interface Position {
  /** Grows by one with every write. A write by a run that read an older version is refused. */
  readonly version: number;
  /** The high-water mark: every row up to and including this instant was published, as far as the log showed it. */
  readonly mark: Instant;
  /** Rows before this instant are never published. */
  readonly start: Instant;
  /** The ledger holds every row that was published and is dated at or after this instant. No poll reads before it. */
  readonly ledgerSince: Instant;
  /** How many rows the log had, from its oldest row to the newest one that was read; null where unknown. */
  readonly count: number | null;
  /** Address of the catalogue whose log it is. */
  readonly source: string;
  /** Polls in a row that left rows for the next one, because a paired row may still be missing. */
  readonly waits: number;
  /** Where the log may have a row that no page showed; null where nothing suggests one. */
  readonly gap: Gap | null;
  /** How many rows the log has before the overlap; null where they were never counted. */
  readonly older: OlderRows | null;
  /** The search for rows that showed up before the overlap; null where none is under way. */
  readonly search: Search | null;
  /** The time before which a service accepts no request, in milliseconds since the epoch. */
  readonly notBefore?: number;
  /** The instant up to which this state's polls wrote to the history what was read; absent before the first time. */
  readonly covered?: Instant;
  /** Marks that a person moved back; DynamoDB only. */
  readonly moves?: readonly MovedMark[];
}

/** A mark that a person moved back: rows that were published before the move count as unseen again. */
export interface MovedMark {
  /** The position's version before the move. */
  readonly version: number;
  /** The new mark: rows after it count as unseen. */
  readonly after: Instant;
  /** The mark before the move. */
  readonly until: Instant;
}

/** An instant whose rows were perhaps not all seen: they lay across pages that did not join. */
export interface Gap {
  readonly at: Instant;
  /** Polls in a row that read its rows and found no new one. */
  readonly polls: number;
}

/** How many rows the log has before the overlap. A row that shows up or vanishes there changes the number. */
export interface OlderRows {
  /** Rows before this instant are counted. */
  readonly before: Instant;
  readonly count: number;
  /** Rows that showed up and that neither a found row nor a panel explains. */
  readonly surfaced: number;
  /** Rows that vanished and that no hidden panel explains. */
  readonly vanished: number;
}

/** A search through the log for rows that are not published, in slices, from the newest to the oldest. */
export interface Search {
  /** Rows at or after this instant were searched. */
  readonly until: Instant;
  /** How many rows are older than `until`, as counted last; null where unknown. */
  readonly older: number | null;
  /** How far back to search in any case. */
  readonly since: Instant;
  /** From this time on, the search goes on to the start while rows that showed up are unexplained. */
  readonly deeperFrom: Instant;
  /** Whether a panel that appeared explains the rows that are not found. */
  readonly explained: boolean;
  /** How often the next slice was searched without certainly showing every row of a tie. */
  readonly tries: number;
}

/** Where a first poll begins. */
export type Beginning = Pick<Position, 'mark' | 'start' | 'count' | 'source'>;

/** The position's fields about rows before the overlap; an absent field stays as it is. */
export type Bookkeeping = Partial<Pick<Position, 'older' | 'search'>>;
