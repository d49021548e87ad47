import * as z from 'zod';
import { type PanelEvent, splitBody, withoutRows } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';
import { DAY_MS } from '../run/clock.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import {
  type EntityStates,
  entitySchema,
  type KnownStates,
  type Learnt,
  type PanelStates,
  panelSchema,
} from './known-states.ts';
import type { Listing } from './listing.ts';
import { instantSchema, listOf, mapOf, messageSchema } from './packed.ts';
import {
  type Beginning,
  type Bookkeeping,
  type LedgerRow,
  olderSchema,
  type Position,
  positionSchema,
  searchSchema,
} from './position.ts';

/** The events that the poller published after a version of the position, oldest first. */
export interface Published {
  /** The version after which the next reading goes on. */
  readonly version: number;
  readonly events: readonly PublishedEvent[];
}

/** An event without its rows, and the version of the position with which it was published. */
export interface PublishedEvent {
  readonly version: number;
  readonly event: PanelEvent;
}

const eventSchema = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    type: z.string(),
    time: z.string().optional(),
    data: z.looseObject({ change: z.looseObject({}) }),
  }),
);

/** An event as it is, with its fields in their order: what is published again is so byte for byte. */
const eventAsItIs = z.unknown().transform((event) => {
  eventSchema.parse(event);
  return event as z.infer<typeof eventSchema>;
});

/** Events as they are kept without their rows. They were published by this project, so that their kinds are known. */
export const eventsSchema = z.lazy(() =>
  z
    .array(eventAsItIs)
    .transform((events) =>
      events.map((event) => ({ ...event, data: { ...event.data, activities: [] } }) as unknown as PanelEvent),
    ),
);

/** The events of messages as JSON, without their rows. */
export const eventsJson = (messages: readonly Message[]): string =>
  `[${messages.map(({ body }) => withoutRows(splitBody(body))).join(',')}]`;

/** The events of messages, without their rows. */
export const eventsIn = (messages: readonly Message[]): readonly PanelEvent[] =>
  eventsSchema.parse(JSON.parse(eventsJson(messages)));

/** How long they are kept, in seconds. Sweeps read them every hour, and may fail for two months. */
export const PUBLISHED_SECONDS = 90 * 86_400;

/** How many chunks a file keeps however old they are: after a long outage, polls catch up before the first sweep. */
export const LEAST_PUBLISHED = 2_000;

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

/**
 * Forgets what of the state is older than so many days. The days are whole, so that a store is asked to change once a day.
 * @param now milliseconds since the epoch
 * @throws {StateError} when the state cannot be read or written, or another run wrote first
 */
export async function forgetOldState(
  store: Pick<MovableStore, 'forgetBefore'>,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<void> {
  await store.forgetBefore(instantOf((Math.floor(now / DAY_MS) - days) * DAY_MS));
}
