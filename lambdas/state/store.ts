import type { Instant } from '../clock/instant.ts';
import type { Rating } from '../events/changes.ts';
import type { PanelFacts, SomePanelFacts } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';

/** How far the log of one catalogue was read and published. */
export interface Position {
  /** Grows by one with every write. A writer that holds an older one has lost its place. */
  readonly version: number;
  /** The high-water mark: every row up to and including this instant was published, as far as the log showed it. */
  readonly mark: Instant;
  /** Rows before this instant are never published. */
  readonly start: Instant;
  /** The ledger holds every row that was published and is dated at or after this instant. No poll reads behind it. */
  readonly ledgerSince: Instant;
  /** How many rows the log had, from its oldest row to the newest one that was read; null where unknown. */
  readonly count: number | null;
  /** Address of the catalogue whose log it is; null where an early version began. */
  readonly source: string | null;
  /** Polls in a row that held rows back, because a paired row may still be missing. */
  readonly waits: number;
  /** Where the log may have a row that no page showed; null where nothing speaks for it. */
  readonly gap: Gap | null;
  /** What the log has behind the overlap; null where it was never counted. */
  readonly older: OlderRows | null;
  /** The search for rows that surfaced behind the overlap; null where none is under way. */
  readonly search: Search | null;
  /** Milliseconds since the epoch before which a service asked for no request. */
  readonly notBefore?: number;
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

/** An instant whose rows were perhaps not all seen: they lay across pages that did not fit together. */
export interface Gap {
  readonly at: Instant;
  /** Polls in a row that read its rows and found no new one. */
  readonly polls: number;
}

/** How many rows the log has behind the overlap. A row that surfaces or vanishes there changes the number. */
export interface OlderRows {
  /** Rows before this instant are counted. */
  readonly before: Instant;
  readonly count: number;
  /** Rows that surfaced, as far as nothing explains them: no unpublished row that was found, and no panel. */
  readonly surfaced: number;
  /** Rows that vanished, as far as no panel that is hidden explains them. */
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
  /** When to search on behind `since`, as far as the start, while rows that surfaced are not explained. */
  readonly deeperFrom: Instant;
  /** Whether a panel that appeared explains the rows that are not found. */
  readonly explained: boolean;
  /** How often the next slice was searched and perhaps did not show every row of a tie. */
  readonly tries: number;
}

/** Where a first poll begins. */
export type Beginning = Pick<Position, 'mark' | 'start' | 'count' | 'source'>;

/** A row in the processed-row ledger. */
export interface LedgerRow {
  /** 32 hexadecimal digits. */
  readonly key: string;
  /** When the row was written; null where its time is unusable: such a row is kept at any mark. */
  readonly at: Instant | null;
}

/** The state of one entity on one panel. */
export interface EntityState {
  /** The last published rating; null where it is unknown. */
  readonly rating: Rating | null;
  /** The time of the row that set the rating, or that made it unknown. */
  readonly at: Instant;
  /** The last published rows whose paired row was not read yet. */
  readonly unpaired: readonly UnpairedRow[];
}

/** A published row whose paired row was not read yet. */
export interface UnpairedRow {
  readonly form: string;
  readonly at: Instant;
  readonly by: string | null;
  readonly to: Rating | null;
  /** When the entity was rated again: a later row pairs with another one. */
  readonly until?: Instant | undefined;
}

/** Entity states by the key of `entityKey`. */
export type EntityStates = ReadonlyMap<string, EntityState>;

/** What rows stated of one panel. */
export interface PanelState {
  /** The version that the newest row stated; null where none did. */
  readonly version: string | null;
  /** The time of that row. */
  readonly at: Instant;
  /** Facts of the panel that rows stated; null where none did. A later listing replaces them. */
  readonly stated: StatedFacts | null;
}

interface StatedFacts {
  /** The time of the last row that stated one of them. */
  readonly at: Instant;
  readonly facts: SomePanelFacts;
}

/** Panel states by panel id. */
export type PanelStates = ReadonlyMap<number, PanelState>;

/** The states of entities and panels. */
export interface KnownStates {
  readonly entities: EntityStates;
  readonly panels: PanelStates;
}

/** Some rows and what becomes of them, recorded before it is published. */
export interface Chunk extends KnownStates {
  readonly messages: readonly Message[];
  /** The rows that are finished once the messages are published. */
  readonly rows: readonly LedgerRow[];
  /** The position once the messages are published. */
  readonly next: Pick<Position, 'mark' | 'count' | 'waits' | 'gap'> & Bookkeeping;
}

/** What follows for the rows behind the overlap; what is absent stays. */
export type Bookkeeping = Partial<Pick<Position, 'older' | 'search'>>;

/** A state that is older than one that was in use: a restored copy, or one that lost its last writes. */
export interface SetBack {
  /** What was found, for a person, as a sentence. */
  readonly found: string;
  /** The mark that had been reached; null where unknown. */
  readonly mark: Instant | null;
}

/** What a poll begins with. */
export interface Stored {
  readonly position: Position;
  /** Recorded, and perhaps not published: comes before anything else. */
  readonly pending: Chunk | null;
  /** The ledger's rows, by key, back to the mark less the overlap, and all rows without a usable time. */
  readonly seen: ReadonlyMap<string, Instant | null>;
  /** Null where nothing shows that the state is older than it was. The next write ends it. */
  readonly setBack: SetBack | null;
}

/** What changes without a row being published. */
type Note = Partial<Pick<Position, 'mark' | 'count' | 'waits' | 'gap' | 'notBefore'>> & Bookkeeping;

/** A panel as `/panels/` listed it. */
export interface ListedPanel {
  readonly facts: PanelFacts;
  /** Its last versions, newest first. */
  readonly versions: readonly DatedVersion[];
}

/** A version of a panel, and since when it has it. */
export interface DatedVersion {
  readonly version: string;
  /** When the panel got it. */
  readonly at: Instant;
}

/** The panels as the catalogue listed them last. */
export interface Listing {
  /** By panel id. */
  readonly panels: ReadonlyMap<number, ListedPanel>;
  /** The slugs of the panel types by their names: rows name a type, `/panels/` also gives its slug. */
  readonly typeSlugs: ReadonlyMap<string, string>;
  /** When it was read, by the catalogue's clock. */
  readonly readAt: Instant;
  /** When it was read, by the clock of the reader, in milliseconds since the epoch. */
  readonly listedAt: number;
  readonly requests: ListingRequests;
}

/** What limits how often `/panels/` is read. Times are in milliseconds since the epoch. */
export interface ListingRequests {
  /** The readings of the last hour. */
  readonly readings: readonly number[];
  /** Panels that were asked for and that the last reading lacked. */
  readonly absent: readonly number[];
  /** No reading before this time; null for no limit. */
  readonly notBefore: number | null;
}

/** How often an unknown wording came, and when it came last. */
export interface ShapeCount {
  readonly shape: string;
  readonly count: number;
  readonly lastAt: Instant;
}

/**
 * Keeps the state of one catalogue. Every write of a position is conditional on the version that was read.
 * @throws {StateError} from every method, when the state cannot be read or written.
 */
export interface StateStore {
  /** The state as it was written last; null where this catalogue was never read. One read. */
  load(overlap: Instant): Promise<Stored | null>;
  /** Writes the first position, with the rows that are not to be published. */
  begin(at: Beginning, rows: readonly LedgerRow[], known?: KnownStates): Promise<Position>;
  /** Whether a chunk is small enough to be recorded. */
  holds(chunk: Chunk): boolean;
  /** Records a chunk, so that the same bytes are published after a crash. */
  record(position: Position, chunk: Chunk): Promise<Position>;
  /** Adds the chunk's rows to the ledger and moves the mark, once the chunk is published. */
  advance(position: Position, chunk: Chunk): Promise<Position>;
  /** Writes what changed without a row being published. `notBefore` ends with the next write. */
  note(position: Position, note: Note): Promise<Position>;
  /** The ledger's rows dated at or after an instant, by key, and all rows without a usable time. */
  ledger(since: Instant): Promise<ReadonlyMap<string, Instant | null>>;
  /** The states of those of these entities that have one. */
  entities(keys: readonly string[]): Promise<EntityStates>;
  /** The states of those of these panels that have one. */
  panels(ids: readonly number[]): Promise<PanelStates>;
  /** Counts unknown wordings, by their shape, for a maintainer. */
  countShapes(shapes: ReadonlyMap<string, number>, at: Instant): Promise<void>;
  /** The unknown wordings counted so far. */
  shapes(): Promise<readonly ShapeCount[]>;
  /** The panels as they were saved last; null where they never were. */
  listing(): Promise<Listing | null>;
  saveListing(listing: Listing): Promise<void>;
}

/** A state whose mark a person can move. */
export interface MovableStore extends StateStore {
  /**
   * Moves the mark, so that the next poll publishes the rows of the log after it, and none before.
   * @throws {StateError} `STATE_CONFLICT` when the position was written since it was read: nothing is changed
   */
  moveMark(position: Position, mark: Instant): Promise<Position>;
}

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
