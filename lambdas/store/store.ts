import * as z from 'zod';
import type { PanelEvent } from '../events/schemas.ts';
import type { Instant } from '../run/instant.ts';
import { instantSchema, listOf, mapOf, messageSchema } from './json-schemas.ts';
import {
  type EntityStates,
  entitySchema,
  type KnownStates,
  type Learnt,
  type PanelStates,
  panelSchema,
} from './known-states.ts';
import type { LedgerRow } from './ledger.ts';
import type { Listing } from './listing.ts';
import {
  type Beginning,
  type Bookkeeping,
  olderSchema,
  type Position,
  positionSchema,
  searchSchema,
} from './position.ts';
import type { Published } from './published.ts';

const chunkFields = () => ({
  /** The rows that are finished once the messages are published. */
  rows: listOf(z.object({ key: z.string(), at: instantSchema.nullable() })),
  entities: mapOf(z.string(), entitySchema),
  panels: mapOf(z.number(), panelSchema),
  /** The position once the messages are published. */
  next: positionSchema
    .unwrap()
    .pick({ mark: true, count: true, waits: true, gap: true, covered: true })
    .extend({
      older: olderSchema.nullable().exactOptional(),
      search: searchSchema.nullable().exactOptional(),
    }),
});
export const chunkSchema = z.lazy(() => z.object({ messages: listOf(messageSchema), ...chunkFields() }));
/** Some rows with their messages and the position after them. It is recorded before the messages are published. */
export type Chunk = Readonly<z.infer<typeof chunkSchema>>;

/** A chunk of which some messages, null here, are rows of the history. */
export const recordedChunkSchema = z.lazy(() =>
  z.object({ messages: listOf(messageSchema.nullable()), ...chunkFields() }),
);

/** Why a state is taken to be rolled back: a restored copy of an older one, or one that lost its last writes. */
export interface Rollback {
  /** What was found, for a person, as a sentence. */
  readonly found: string;
  /** The mark that had been reached; null where unknown. */
  readonly mark: Instant | null;
}

/** What a poll begins with. */
export interface Stored {
  readonly position: Position;
  /** A recorded chunk that is perhaps not published: the next poll publishes it first. */
  readonly pending: Chunk | null;
  /** The ledger's rows, by key, back to the mark less the overlap, and all rows without a usable time. */
  readonly seen: ReadonlyMap<string, Instant | null>;
  /** Null where nothing shows that the state was rolled back. The next write ends it. */
  readonly rollback: Rollback | null;
}

/** What changes without a row being published. */
type PositionChange = Partial<Pick<Position, 'mark' | 'count' | 'waits' | 'gap' | 'notBefore' | 'source'>> &
  Bookkeeping;

/** How often an unknown wording was counted, and the mark at the last count. */
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
  /** The most rows that are recorded together. */
  readonly chunkRows: number;
  /** Whether a chunk is small enough to be recorded. */
  canRecord(chunk: Chunk): boolean;
  /** Records a chunk, so that the same bytes are published after a crash. */
  record(position: Position, chunk: Chunk): Promise<Position>;
  /** Adds the chunk's rows to the ledger and advances the mark, once the chunk is published. */
  advance(position: Position, chunk: Chunk): Promise<Position>;
  /** Writes what changed without a row being published. `notBefore` ends with the next write. */
  update(position: Position, change: PositionChange): Promise<Position>;
  /** The ledger's rows dated at or after an instant, by key, and all rows without a usable time. */
  ledger(since: Instant): Promise<ReadonlyMap<string, Instant | null>>;
  /** The states of those of these entities that have one. */
  entities(keys: readonly string[]): Promise<EntityStates>;
  /** The states of those of these panels that have one. */
  panels(ids: readonly number[]): Promise<PanelStates>;
  /** What `advance` published after a version of the position, for at least as long as two sweeps are apart. */
  published(after: number): Promise<Published>;
  /** The last events of these panels that were found without a row, oldest first. */
  silent(ids: readonly number[]): Promise<ReadonlyMap<number, readonly PanelEvent[]>>;
  /**
   * Takes over what was found without a row, unless the poller has published something newer of it. A poll that has
   * read the former states then stops with `STATE_CONFLICT` before it records anything.
   */
  learn(learnt: Learnt): Promise<void>;
  /** Counts unknown wordings, by their shape, for a maintainer. */
  countShapes(shapes: ReadonlyMap<string, number>, at: Instant): Promise<void>;
  /** The unknown wordings counted so far. */
  shapes(): Promise<readonly ShapeCount[]>;
  /** The panels as they were saved last; null where they never were. */
  listing(): Promise<Listing | null>;
  /** Replaces the listing, unless the stored one was read later (`mayReplace`). */
  saveListing(listing: Listing): Promise<void>;
}

/** A state whose mark a person can move, and that forgets what is old. */
export interface MovableStore extends StateStore {
  /**
   * Forgets the ledger's rows from before an instant, and the states of entities that lost their rating before it: no poll
   * reads a row that far back any more. Nothing happens where a chunk is recorded, or a poll may still read such rows.
   */
  forgetBefore(instant: Instant): Promise<void>;
  /**
   * Moves the mark, so that the next poll publishes the rows of the log after it, and none before.
   * @throws {StateError} `STATE_CONFLICT` when the position was written since it was read: nothing is changed
   */
  moveMark(position: Position, mark: Instant): Promise<Position>;
}
