import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../run/instant.ts';
import { type Item, number, orCorrupt, text } from './dynamodb-call.ts';
import { ABSENT, asRead, type DynamoTable, keyItem, type StateTableOptions } from './dynamodb-table.ts';
import { beganItem, LEDGER, ledgerKey, UNPLACED } from './ledger-items.ts';
import { chunkJson, packJson, toJson, unpack } from './packed.ts';
import { type Position, positionSchema } from './position.ts';
import { StateError } from './state-error.ts';
import { type Chunk, chunkSchema } from './store.ts';

/** Nothing is recorded that is perhaps not published. */
const AT_REST = 'attribute_exists(pk) AND attribute_not_exists(pending)';

/** Items in one page of the query that loads the state: most polls need the first page only. */
const PAGE_ITEMS = 100;

/** What one query of a catalogue's partition finds. */
interface LoadedItems {
  readonly read: ReadPosition;
  readonly placed: readonly Item[];
  readonly unplaced: readonly Item[];
}

/** The item that holds the position of a catalogue, and the recorded chunk in it. */
export function createDynamoPosition(
  table: DynamoTable,
  { pk, options }: { readonly pk: string; readonly options: StateTableOptions },
) {
  const { where } = table;
  const key = { pk, sk: POSITION };
  let began: string | undefined;

  const readItem = (item: Item): ReadPosition => {
    const read = readPosition(item, where);
    began = read.began;
    return read;
  };

  /** @throws {StateError} `STATE_CONFLICT` when another run has written since */
  const write = async (before: Position | null, after: Position, pending?: Chunk): Promise<Position> => {
    const writer = `${options.runId}/${after.version}`;
    const item = positionItem(after, {
      writer,
      table: options.table,
      began,
      pending,
    });
    const isFree = before ? asRead(number(before.version)) : ABSENT;
    if (await table.putIf({ ...keyItem(key), ...item }, isFree)) return after;
    // The reply to an earlier attempt may have been lost: then this run wrote what is there.
    const there = await table.get(key);
    if (there?.writer?.S === writer && Number(there?.version?.N) === after.version) return after;
    throw new StateError(
      'STATE_CONFLICT',
      `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there?.version?.N ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
    );
  };

  return {
    /** The run that began the catalogue, once it is known. */
    began: () => began,
    /** Null where no poll has begun. */
    load: (overlap: Instant) => loadItems(table, { pk, overlap, readItem }),

    isBegun: async () => (await table.get(key)) !== undefined,
    /** A poll that has read what was known before stops before it records anything, and begins again. */
    outdateReaders: () =>
      table.update(key, {
        UpdateExpression: 'ADD version :one',
        ConditionExpression: AT_REST,
        ExpressionAttributeValues: { ':one': number(1) },
      }),
    async read() {
      const item = await table.get(key);
      return item ? readItem(item) : null;
    },

    /** Writes the first position of a catalogue, which this run begins. */
    async begin(first: Position) {
      began = options.runId;
      const begun = await write(null, first);
      await table.putAll([{ ...keyItem({ pk, sk: ORIGIN }), writer: text(options.runId) }]);
      return begun;
    },

    write,
  };
}

/** The position as what is kept beside it needs it. */
export type DynamoPosition = ReturnType<typeof createDynamoPosition>;

interface Loading {
  readonly pk: string;
  readonly overlap: Instant;
  readonly readItem: (item: Item) => ReadPosition;
}

/** Reads the position, and the ledger as far back as the overlap, newest first. */
async function loadItems(
  table: DynamoTable,
  { pk, overlap, readItem }: Loading,
): Promise<LoadedItems | null> {
  const placed: Item[] = [];
  const unplaced: Item[] = [];
  let read: ReadPosition | undefined;
  let isBegun = false;
  let floor = '';
  for await (const item of table.query({ pk, newestFirst: true, also: { Limit: PAGE_ITEMS } })) {
    const key = item.sk?.S ?? '';
    if (key === POSITION) {
      read = readItem(item);
      floor = ledgerKey(read.position.mark - overlap);
    } else if (key.startsWith(UNPLACED)) unplaced.push(item);
    else if (key === ORIGIN) isBegun = true;
    else if (!key.startsWith(LEDGER)) continue;
    else if (!read || key < floor) break;
    else placed.push(item);
  }
  if (read) return { read, placed, unplaced };
  if (!isBegun) return null;
  throw new StateError(
    'STATE_LOST',
    `Reading ${table.where}: this catalogue was read before, but its position is gone. Starting from now would lose what happened since. Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.`,
  );
}

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
const ORIGIN = 'origin';
const POSITION = 'position';

/** Form of the position. A version that changes it raises it, and every other version refuses it. */
const FORMAT = 1;

interface Writing {
  readonly writer: string;
  readonly table: string;
  readonly began?: string | undefined;
  readonly pending?: Chunk | undefined;
}

const positionItem = (position: Position, { writer, table, began, pending }: Writing): Item => ({
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
function readPosition(item: Item, where: string): ReadPosition {
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

/** What chunks were packed to: to find out whether one fits, and then to record it. */
const packedChunks = new WeakMap<Chunk, AttributeValue>();

/** A recorded chunk as an attribute of the position. */
export function packChunk(chunk: Chunk): AttributeValue {
  const packed = packedChunks.get(chunk) ?? packJson(chunkJson(chunk));
  packedChunks.set(chunk, packed);
  return packed;
}

/** The most bytes of a packed chunk: an item may have 400 kB. */
const CHUNK_BYTES = 380_000;

/** Whether a chunk fits into an item. */
export const isRecordable = (chunk: Chunk): boolean => (packChunk(chunk).B?.length ?? 0) <= CHUNK_BYTES;
