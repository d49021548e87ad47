import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { bytesOf } from '../publishing/batches.ts';
import { beganItem } from './began.ts';
import { type Item, number, text } from './dynamodb-call.ts';
import { chunkSchema, olderSchema, searchSchema } from './json-schemas.ts';
import { orCorrupt, requiredNumber, requiredText } from './known-items.ts';
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
 *     catalogue#uk#lease   log                      which run may publish rows of the log (`lease.ts`)
 *     catalogue#uk#panels  listing                  the last reading of /panels/ (`dynamodb-listing.ts`)
 */
export const ORIGIN = 'origin';
export const POSITION = 'position';

/** Form of the position. A version that changes it raises it, and every other version refuses it. */
const FORMAT = 1;

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
    format: number(FORMAT),
    version: number(version),
    mark: number(mark),
    start: number(start),
    ledgerSince: number(ledgerSince),
    waits: number(waits),
    writer: text(writer),
    table: text(table),
    ...beganItem(began),
    ...(count !== null && { count: number(count) }),
    source: text(source),
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

/** A position as it is stored. */
export interface ReadPosition {
  readonly position: Position;
  readonly pending: Chunk | null;
  /** The first run of the catalogue; undefined where the item does not name it. */
  readonly began: string | undefined;
  /** The table that it was written to. */
  readonly table: string;
}

/**
 * A position and the chunk recorded with it.
 * @throws {StateError} `STATE_NEWER` or `STATE_CORRUPT`: nothing is guessed about a position.
 */
export function readPosition(item: Item, where: string): ReadPosition {
  const format = item.format?.N;
  if (format !== String(FORMAT)) {
    throw new StateError(
      'STATE_NEWER',
      `Reading ${where}: another version of the notifier wrote it in format ${format ?? 'of development'}; this one reads format ${FORMAT} alone. Deploy that version again, or restore the table to a time before it.`,
    );
  }
  return orCorrupt(where, () => ({
    position: {
      version: Number(requiredNumber(item, 'version')),
      mark: BigInt(requiredNumber(item, 'mark')),
      start: BigInt(requiredNumber(item, 'start')),
      ledgerSince: BigInt(requiredNumber(item, 'ledgerSince')),
      count: item.count?.N === undefined ? null : Number(item.count.N),
      source: requiredText(item, 'source'),
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
    pending: item.pending ? unpackChunk(item.pending) : null,
    began: item.began?.S,
    table: requiredText(item, 'table'),
  }));
}

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

/** A recorded chunk from the attribute of a position. */
const unpackChunk = (packed: AttributeValue): Chunk => unpack(packed, chunkSchema);
