import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { bytesOf } from '../publishing/batches.ts';
import { beganItem } from './began.ts';
import { type Item, number, orCorrupt, text } from './dynamodb-call.ts';
import { chunkSchema, positionSchema } from './json-schemas.ts';
import { pack, unpack } from './packed.ts';
import type { Position } from './position.ts';
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

/** Who writes a position, and where to. */
interface Writing {
  readonly writer: string;
  readonly table: string;
  /** The catalogue's first run. */
  readonly began?: string | undefined;
  /** The chunk that is recorded with it. */
  readonly pending?: Chunk | undefined;
}

/** A position as an item. */
export const positionItem = (position: Position, { writer, table, began, pending }: Writing): Item => ({
  format: number(FORMAT),
  version: number(position.version),
  writer: text(writer),
  table: text(table),
  position: text(toJson(position)),
  ...beganItem(began),
  ...(pending && { pending: packChunk(pending) }),
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
  const format = Number(item.format?.N);
  if (format !== FORMAT) {
    const [code, writer] =
      format > FORMAT
        ? (['STATE_NEWER', `a newer version of the notifier wrote it in format ${format}`] as const)
        : (['STATE_CORRUPT', 'a development version of the notifier or another program wrote it'] as const);
    throw new StateError(
      code,
      `Reading ${where}: ${writer}; this one reads format ${FORMAT} alone. Deploy the version that wrote it again, or restore the table to a time before it.`,
    );
  }
  return orCorrupt(where, () => ({
    // A reader that is outdated by what was learnt makes the version of the item grow alone.
    position: {
      ...positionSchema.parse(JSON.parse(item.position?.S ?? '')),
      version: Number(item.version?.N),
    },
    pending: item.pending ? unpack(item.pending, chunkSchema) : null,
    began: item.began?.S,
    table: item.table?.S ?? '',
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
