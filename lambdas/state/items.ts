import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Item, number, text } from '../dynamodb/attribute-values.ts';
import { ratingSchema } from '../events/changes.ts';
import { bytesOf } from '../publishing/batches.ts';
import { beganItem } from './began.ts';
import { damagedState } from './damaged-state.ts';
import { READ_FORMAT, WRITTEN_FORMAT } from './formats.ts';
import {
  chunkSchema,
  entitySchema,
  instantSchema,
  listingSchema,
  messageSchema,
  olderSchema,
  originSchema,
  searchSchema,
  statedSchema,
  unpairedSchema,
} from './json-schemas.ts';
import type { EntityState, PanelState } from './known-states.ts';
import type { Listing } from './listing.ts';
import { pack, unpack } from './packed.ts';
import type { MovedMark, Position } from './position.ts';
import { StateError } from './state-error.ts';
import type { Chunk } from './store.ts';
import { toJson } from './to-json.ts';

/**
 * The table's items. The sort keys of one catalogue's partition are such that a single descending query gives
 * the rows without a usable time first, then the position, and then the ledger from its newest item on:
 *
 *     catalogue#uk         unplaced#…               rows without a usable time that were published
 *     catalogue#uk         position                 version, mark, start, count, chunk to be published
 *     catalogue#uk         origin                   written once, by the first run
 *     catalogue#uk         ledger#…                 the rows that one chunk finished (`ledger-items.ts`)
 *     catalogue#uk#known   <panel>#<type>#<entity>  last rating, rows whose paired row may come
 *     catalogue#uk#known   panel#<panel>            last version, facts that rows stated
 *     catalogue#uk#known   silent#<panel>           last events of the panel that have no row
 *     catalogue#uk#published  <version>             the events of a chunk, for 90 days
 *     catalogue#uk#shapes  <shape>                  unknown wordings, counted
 *     catalogue#uk#panels  listing                  the last reading of /panels/ (`dynamodb-listing.ts`)
 *     catalogue#uk#panels  listing#…                parts of a large one
 */
export const ORIGIN = 'origin';
export const POSITION = 'position';

/** A chunk as format 1 wrote it. */
const chunk1Schema = z.lazy(() =>
  z
    .object({
      messages: z.array(messageSchema),
      rows: z.object({ keys: z.array(z.string()), newest: instantSchema }),
      known: z.array(
        z.tuple([
          z.string(),
          entitySchema
            .unwrap()
            .omit({ unpaired: true })
            .extend({ told: z.array(unpairedSchema) }),
        ]),
      ),
      next: z.object({ mark: instantSchema, count: z.number().nullable() }),
    })
    .transform(
      ({ messages, rows: { keys, newest }, known, next }): Chunk => ({
        messages,
        rows: keys.map((key) => ({ key, at: newest })),
        entities: new Map(known.map(([key, { told, ...state }]) => [key, { ...state, unpaired: told }])),
        panels: new Map(),
        next: { ...next, waits: 0, gap: null },
      }),
    ),
);

/** A position as an item. `table` is where it is written to, `writer` who writes it, `began` the catalogue's first run. */
export function positionItem(
  position: Position,
  {
    writer,
    table,
    began,
    pending,
  }: {
    writer: string;
    table: string;
    began?: string | undefined;
    pending?: AttributeValue | undefined;
  },
): Item {
  const { version, mark, start, ledgerSince, waits, count, source } = position;
  const { gap, older, search, notBefore, covered, moves } = position;
  return {
    format: number(WRITTEN_FORMAT),
    version: number(version),
    mark: number(mark),
    start: number(start),
    ledgerSince: number(ledgerSince),
    waits: number(waits),
    writer: text(writer),
    table: text(table),
    ...beganItem(began),
    ...(count !== null && { count: number(count) }),
    ...(source !== null && { source: text(source) }),
    ...(gap && { gapAt: number(gap.at), gapPolls: number(gap.polls) }),
    ...(older && { older: pack(older) }),
    ...(search && { search: pack(search) }),
    ...(notBefore !== undefined && { notBefore: number(notBefore) }),
    ...(covered !== undefined && { covered: number(covered) }),
    ...(moves && { moves: { L: moves.map(packMove) } }),
    ...(pending && { pending }),
  };
}

const packMove = ({ version, after, until }: MovedMark): AttributeValue => ({
  M: { version: number(version), after: number(after), until: number(until) },
});

const readMove = ({ M: move = {} }: AttributeValue): MovedMark => ({
  version: Number(requiredNumber(move, 'version')),
  after: BigInt(requiredNumber(move, 'after')),
  until: BigInt(requiredNumber(move, 'until')),
});

/** A recorded chunk as an attribute of the position. */
export const packChunk = (chunk: Chunk): AttributeValue => pack(chunk);

/** The most bytes of a packed chunk: an item may have 400 kB. */
const CHUNK_BYTES = 380_000;

/** Whether a chunk fits into an item. One with little text is not packed to find out. */
export function isRecordable(chunk: Chunk): boolean {
  const stated = [...chunk.panels.values()].map((state) => toJson(state).length * BYTES_A_UNIT);
  const messages = chunk.messages.map((message) => bytesOf(message) + MESSAGE_BYTES);
  const bytes = [...stated, ...messages].reduce((sum, some) => sum + some, 0);
  return bytes <= CHUNK_BYTES || (packChunk(chunk).B?.length ?? 0) <= CHUNK_BYTES;
}

/** The most that a UTF-16 unit takes in UTF-8. */
const BYTES_A_UNIT = 3;

/** Bytes of a message beside its body and attributes, and of its row in the chunk. */
const MESSAGE_BYTES = 1000;

/** A listing of panels as compressed JSON. */
export const packListing = (listing: Listing): Uint8Array => pack(listing).B ?? new Uint8Array();

/** A position as it is stored. */
export interface ReadPosition {
  /** Without `ledgerSince` in format 1, which did not write it. */
  readonly position: Omit<Position, 'ledgerSince'> & { readonly ledgerSince: Position['ledgerSince'] | null };
  readonly pending: Chunk | null;
  /** The first run of the catalogue; undefined where an early version wrote it. */
  readonly began: string | undefined;
  readonly format: number;
  /** The table that it was written to; null in format 1. */
  readonly table: string | null;
}

/**
 * A position and the chunk recorded with it.
 * @throws {StateError} `STATE_NEWER` or `STATE_CORRUPT`: nothing is guessed about a position.
 */
export function readPosition(item: Item, where: string): ReadPosition {
  const format = Number(item.format?.N);
  if (format > READ_FORMAT) {
    throw new StateError(
      'STATE_NEWER',
      `Reading ${where}: a newer version of the notifier wrote it in format ${format}; this one reads up to format ${READ_FORMAT}. Deploy the newer version again, or restore the table to a time before it.`,
    );
  }
  return orCorrupt(where, () => ({
    format,
    position: {
      version: Number(requiredNumber(item, 'version')),
      mark: BigInt(requiredNumber(item, 'mark')),
      start: BigInt(requiredNumber(item, 'start')),
      ledgerSince: format === 1 ? null : BigInt(requiredNumber(item, 'ledgerSince')),
      count: item.count?.N === undefined ? null : Number(item.count.N),
      source: item.source?.S ?? null,
      waits: Number(item.waits?.N ?? 0),
      gap:
        item.gapAt?.N === undefined
          ? null
          : { at: BigInt(item.gapAt.N), polls: Number(item.gapPolls?.N ?? 0) },
      older: item.older ? unpack(item.older, olderSchema) : null,
      search: item.search ? unpack(item.search, searchSchema) : null,
      ...(item.notBefore?.N !== undefined && { notBefore: Number(item.notBefore.N) }),
      ...(item.covered?.N !== undefined && { covered: BigInt(item.covered.N) }),
      ...(item.moves?.L && { moves: item.moves.L.map(readMove) }),
    },
    pending: item.pending ? unpack(item.pending, format === 1 ? chunk1Schema : chunkSchema) : null,
    began: item.began?.S,
    table: item.table?.S ?? null,
  }));
}

/** The attributes of an entity state, with the version of the position that wrote it. */
export function entityItem({ rating, at, unpaired, origin }: EntityState, version: number): Item {
  return {
    version: number(version),
    at: number(at),
    ...(rating && { rating: text(rating) }),
    ...(unpaired.length > 0 && { unpaired: pack(unpaired) }),
    ...(origin && { origin: text(origin) }),
  };
}

/** @throws {StateError} `STATE_CORRUPT`. */
export function readEntity(item: Item, where: string): EntityState {
  // Format 1 had another name for it.
  const unpaired = item.unpaired ?? item.told;
  return orCorrupt(where, () => ({
    rating: item.rating ? ratingSchema.parse(item.rating.S) : null,
    at: BigInt(requiredNumber(item, 'at')),
    unpaired: unpaired ? unpack(unpaired, z.array(unpairedSchema)) : [],
    ...(item.origin && { origin: originSchema.parse(item.origin.S) }),
  }));
}

/** The attributes of a panel state, with the version of the position that wrote it. */
export function panelItem({ version, at, stated, origin }: PanelState, position: number): Item {
  return {
    version: number(position),
    at: number(at),
    ...(version !== null && { panelVersion: text(version) }),
    ...(stated && { stated: pack(stated) }),
    ...(origin && { origin: text(origin) }),
  };
}

/** @throws {StateError} `STATE_CORRUPT`. */
export function readPanel(item: Item, where: string): PanelState {
  return orCorrupt(where, () => ({
    version: item.panelVersion?.S ?? null,
    at: BigInt(requiredNumber(item, 'at')),
    stated: item.stated ? unpack(item.stated, statedSchema) : null,
    ...(item.origin && { origin: originSchema.parse(item.origin.S) }),
  }));
}

/** @throws {StateError} `STATE_CORRUPT`. */
export function readListing(packed: Uint8Array, where: string): Listing {
  return orCorrupt(where, () => unpack({ B: packed }, listingSchema));
}

/**
 * The digits of a number of an item.
 * @throws {Error} when the item has no number of that name
 */
function requiredNumber(item: Item, name: string): string {
  const value = item[name]?.N;
  if (value === undefined) throw new Error(`the number "${name}" is missing`);
  return value;
}

const REMEDY =
  'Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.';

/** @throws {StateError} `STATE_CORRUPT` when `read` throws */
function orCorrupt<Value>(where: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw damagedState(where, cause, REMEDY);
  }
}
