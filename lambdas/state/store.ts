import type { Instant } from '../clock/instant.ts';
import type { Rating } from '../events/changes.ts';
import type { PanelFacts } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';

/** How far a catalogue's log has been read and told. */
export interface Position {
  /** Grows by one with every write; a writer that holds an older one has lost its place. */
  readonly version: number;
  /** Every row up to and including this instant has been told, as far as the log showed it. */
  readonly mark: Instant;
  /** Rows before this instant are not to be told at all. */
  readonly start: Instant;
  /** The log's own count of rows when it was last read; null where it gave none. */
  readonly count: number | null;
  /** Address of the catalogue whose log it is a place in; null where an earlier version began. */
  readonly source: string | null;
  /** Milliseconds since the epoch before which the catalogue does not want to be asked again. */
  readonly notBefore?: number;
}

/** What is remembered of an entity on a panel, for `from`, direction and twins. */
export interface Known {
  /** The last rating that the log told; null where it is not known any more. */
  readonly rating: Rating | null;
  /** The row that told it, or that made it unknown. */
  readonly at: Instant;
  /** The last rows whose twin may still come. */
  readonly told: readonly Told[];
}

export interface Told {
  readonly form: string;
  readonly at: Instant;
  readonly by: string | null;
  readonly to: Rating | null;
  /** When the entity was rated again: a row that follows later than that belongs to another one. */
  readonly until?: Instant | undefined;
}

/** Known entities by the key of `entityKey`. */
export type KnownEntities = ReadonlyMap<string, Known>;

/** What has been decided of some rows, written down before it is published. */
export interface Chunk {
  readonly messages: readonly Message[];
  /** Keys of the rows that it settles, by the instant of the newest. */
  readonly rows: { readonly keys: readonly string[]; readonly newest: Instant };
  readonly known: KnownEntities;
  /** Where the log is read to once the chunk is told. */
  readonly next: Pick<Position, 'mark' | 'count'>;
}

export interface Stored {
  readonly position: Position;
  /** Recorded, but perhaps not published: has to be told before anything else. */
  readonly pending: Chunk | null;
  /** Keys of the rows that were told, back to the mark less the overlap. */
  readonly seen: ReadonlySet<string>;
}

/** Panels as the catalogue last listed them, by id. */
export interface Listing {
  readonly panels: ReadonlyMap<number, PanelFacts>;
  /** Milliseconds since the epoch. */
  readonly listedAt: number;
}

/** How often a wording came that is not known, and when it came last. */
export interface ShapeCount {
  readonly shape: string;
  readonly count: number;
  readonly lastAt: Instant;
}

/** Keeps one catalogue's place. Each method fails with a `StateError`. */
export interface StateStore {
  /** One read; null where this catalogue was never read. */
  load(overlap: Instant): Promise<Stored | null>;
  /** Writes the first position, with the rows that are not to be told. */
  begin(position: Omit<Position, 'version'>, seen: Chunk['rows'], known?: KnownEntities): Promise<Position>;
  /** Whether a chunk is small enough to be recorded. */
  holds(chunk: Chunk): boolean;
  /** Writes a chunk down, so that it will be told in these very words whatever happens. */
  record(position: Position, chunk: Chunk): Promise<Position>;
  /** Moves the mark after the chunk was published. */
  advance(position: Position, chunk: Chunk): Promise<Position>;
  postpone(position: Position, notBefore: number): Promise<Position>;
  known(keys: readonly string[]): Promise<KnownEntities>;
  /** Counts wordings that are not known, by their shape, for a maintainer to see. */
  countShapes(shapes: ReadonlyMap<string, number>, at: Instant): Promise<void>;
  /** The wordings counted so far. */
  shapes(): Promise<readonly ShapeCount[]>;
  listing(): Promise<Listing | null>;
  saveListing(listing: Listing): Promise<void>;
}

export type StateErrorCode =
  | 'STATE_CONFLICT'
  | 'STATE_LOST'
  | 'STATE_CORRUPT'
  | 'STATE_NEWER'
  | 'STATE_UNAVAILABLE';

/** The place in the log cannot be read or kept; the mark is where it was. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code: StateErrorCode;

  constructor(code: StateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
