import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../run/instant.ts';
import {
  ABSENT,
  asRead,
  type DynamoTable,
  type Item,
  type ItemKey,
  keyItem,
  number,
  orCorrupt,
  type StateTableOptions,
  text,
} from './dynamodb-table.ts';
import { chunkJson, packJson, toJson, unpack } from './packed.ts';
import {
  type LedgerRow,
  MOST_UNPLACED_ROWS,
  type MovedMark,
  type Position,
  positionSchema,
  seenRows,
} from './position.ts';
import { StateError } from './state-error.ts';
import { type Chunk, chunkSchema } from './store.ts';

/** Nothing is recorded that is perhaps not published. */
const AT_REST = 'attribute_exists(pk) AND attribute_not_exists(pending)';

/** Items in one page of the query that loads the state: most polls need the first page only. */
const PAGE_ITEMS = 100;

/** What one query of a catalogue's partition finds. */
interface LoadedItems {
  readonly read: ReadPosition;
  /** Rows with a time, back to the mark less the overlap. */
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
    const item: Item = {
      ...keyItem(key),
      format: number(FORMAT),
      version: number(after.version),
      writer: text(writer),
      table: text(options.table),
      position: text(toJson(after)),
      ...beganItem(began),
      ...(pending && { pending: packChunk(pending) }),
    };
    const isFree = before ? asRead(number(before.version)) : ABSENT;
    if (await table.putIf(item, isFree)) return after;
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
    load: (overlap: Instant) => loadItems(table, pk, overlap, readItem),

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

/** Reads the position, and the ledger as far back as the overlap, newest first. */
async function loadItems(
  table: DynamoTable,
  pk: string,
  overlap: Instant,
  readItem: (item: Item) => ReadPosition,
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
 *     catalogue#uk         ledger#…                 the rows that one chunk finished (`ledgerKey`)
 *     catalogue#uk#known   <panel>#<type>#<entity>  last rating, rows whose paired row may come
 *     catalogue#uk#known   panel#<panel>            last version, facts that rows stated
 *     catalogue#uk#known   silent#<panel>           last events of the panel that have no row
 *     catalogue#uk#published  <version>             the events of a chunk, for 90 days
 *     catalogue#uk#shapes  <shape>                  unknown wordings, counted
 *     catalogue#uk#lease   log                      which run may publish rows of the log (`lease.ts`)
 *     catalogue#uk#panels  listing                  the last reading of /panels/ (`items-dynamodb.ts`)
 */
const ORIGIN = 'origin';
const POSITION = 'position';

/** Form of the position. A version that changes it raises it, and every other version refuses it. */
const FORMAT = 1;

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

/**
 * The ledger's items. Their sort keys order the rows of chunks by time; rows without a usable time have one item
 * of their own, which holds them all and is written anew when one is added:
 *
 *     ledger#<newest row>#<version>#<part>   rows with a time
 *     unplaced#<version>                     rows without
 *
 * Those that a first run writes, before there is a position, also end with the name of that run.
 */
const LEDGER = 'ledger#';
const UNPLACED = 'unplaced#';

/** An item may have 400 kB; a row has 24 bytes. */
const ROWS_PER_ITEM = 10_000;

const KEY_BYTES = 16;
const INSTANT_BYTES = 8;

/** The sort key of a ledger item. Instants have 16 digits until the year 2286. */
export function ledgerKey(newest: Instant, version = 0, part = 0): string {
  const numbers = [
    [newest, 17],
    [version, 10],
    [part, 4],
  ] as const;
  return LEDGER + numbers.map(([number, digits]) => String(number).padStart(digits, '0')).join('#');
}

/** Rows with a time as items under a partition key; none for no rows. `began` names the run that begins with them. */
export function ledgerItems(pk: string, rows: readonly LedgerRow[], version: number, began?: string): Item[] {
  const placed = rows.filter((row): row is LedgerRow & { at: Instant } => row.at !== null);
  const newest = placed.reduce((latest, { at }) => (at > latest ? at : latest), 0n);
  const parts = Array.from({ length: Math.ceil(placed.length / ROWS_PER_ITEM) }, (_, part) =>
    placed.slice(part * ROWS_PER_ITEM, (part + 1) * ROWS_PER_ITEM),
  );
  return parts.map((part, index) => ({
    pk: text(pk),
    sk: text(ledgerKey(newest, version, index) + suffixOf(began)),
    ...beganItem(began),
    keys: packKeys(part),
    instants: { B: packInstants(part.map(({ at }) => at)) },
  }));
}

/** All rows without a usable time as one item. */
export function unplacedItem(pk: string, rows: readonly LedgerRow[], version: number, began?: string): Item {
  const sk = UNPLACED + String(version).padStart(10, '0') + suffixOf(began);
  return { pk: text(pk), sk: text(sk), ...beganItem(began), keys: packKeys(rows) };
}

const suffixOf = (began: string | undefined): string => (began === undefined ? '' : `#${began}`);

/** The rows of a ledger item. Rows without a usable time have none. */
export function ledgerRowsOf(item: Item): LedgerRow[] {
  const keys = Buffer.from(item.keys?.B ?? []);
  const instants = Buffer.from(item.instants?.B ?? []);
  return Array.from({ length: keys.length / KEY_BYTES }, (_, index) => ({
    key: keys.toString('hex', index * KEY_BYTES, (index + 1) * KEY_BYTES),
    at: instants.length > 0 ? instants.readBigInt64LE(index * INSTANT_BYTES) : null,
  }));
}

/** The rows of a ledger item that count as seen: those that no moved mark made unseen again. */
export function seenRowsOf(item: Item, moves: readonly MovedMark[]): readonly LedgerRow[] {
  const written = Number(item.sk?.S?.split('#')[2]);
  const concerned = moves.filter(({ version }) => written <= version);
  return ledgerRowsOf(item).filter(({ at }) => at === null || concerned.every(({ after }) => at <= after));
}

function packKeys(rows: readonly LedgerRow[]): { B: Uint8Array } {
  return { B: Buffer.from(rows.map(({ key }) => key).join(''), 'hex') };
}

function packInstants(instants: readonly Instant[]): Uint8Array {
  const packed = Buffer.alloc(instants.length * INSTANT_BYTES);
  for (const [index, at] of instants.entries()) packed.writeBigInt64LE(at, index * INSTANT_BYTES);
  return packed;
}

/** The greatest number that a ledger key can have. */
const LAST_INSTANT = 10n ** 17n - 1n;

/** The ledger in the partition of the position. */
export function createDynamoLedger(table: DynamoTable, pk: string) {
  /** All rows without a usable time, as loaded, and the items that hold them. */
  let unplaced: { readonly rows: readonly LedgerRow[]; readonly sks: readonly string[] } = {
    rows: [],
    sks: [],
  };
  let moves: readonly MovedMark[] = [];
  let began: string | undefined;

  return {
    /** Keeps what the next calls need of the loaded items; returns their rows that count as seen. */
    load(items: LoadedItems): ReadonlyMap<string, Instant | null> {
      ({ began } = items.read);
      moves = items.read.position.moves ?? [];
      const ownUnplaced = items.unplaced.filter((item) => isOfThisBeginning(item, began));
      unplaced = {
        rows: ownUnplaced.flatMap(ledgerRowsOf),
        sks: ownUnplaced.map(({ sk }) => sk?.S ?? ''),
      };
      const placed = items.placed.filter((item) => isOfThisBeginning(item, began));
      return seenRows([...placed.flatMap((item) => seenRowsOf(item, moves)), ...unplaced.rows]);
    },

    /** Adds the rows that a first run does not publish, before the position is there. */
    async begin(rows: readonly LedgerRow[], run: string): Promise<void> {
      const without = rows.filter(({ at }) => at === null).slice(-MOST_UNPLACED_ROWS);
      await table.putAll([
        ...ledgerItems(pk, rows, 1, run),
        ...(without.length > 0 ? [unplacedItem(pk, without, 1, run)] : []),
      ]);
    },

    /** Adds rows. Returns the sort keys of items to delete after the next write of the position, which they replace. */
    async add(rows: readonly LedgerRow[], version: number): Promise<readonly string[]> {
      const items = ledgerItems(pk, rows, version);
      const added = rows.filter(
        ({ at, key }) => at === null && !unplaced.rows.some((row) => row.key === key),
      );
      if (added.length === 0) {
        await table.putAll(items);
        return [];
      }
      const replaced = unplaced.sks;
      const all = [...unplaced.rows, ...added].slice(-MOST_UNPLACED_ROWS);
      const item = unplacedItem(pk, all, version);
      await table.putAll([...items, item]);
      unplaced = { rows: all, sks: [item.sk?.S ?? ''] };
      return replaced;
    },

    async since(since: Instant): Promise<ReadonlyMap<string, Instant | null>> {
      const rows: LedgerRow[] = [];
      const range = { pk, from: ledgerKey(since), to: ledgerKey(LAST_INSTANT) };
      for await (const item of table.query(range)) {
        if (!isOfThisBeginning(item, began)) continue;
        rows.push(...seenRowsOf(item, moves).filter(({ at }) => at !== null && at >= since));
      }
      return seenRows([...rows, ...unplaced.rows]);
    },

    /** Deletes the items whose rows are all dated before an instant. */
    async forgetBefore(instant: Instant): Promise<void> {
      const range = { pk, from: ledgerKey(0n), to: ledgerKey(instant), also: { ProjectionExpression: 'sk' } };
      const old: ItemKey[] = [];
      for await (const { sk } of table.query(range)) old.push({ pk, sk: sk?.S ?? '' });
      await table.removeAll(old);
    },
  };
}

/**
 * A first run writes what it read of the log before it writes the position, because no poll may begin without it. The
 * items carry the run's name, and so does the position: what a run wrote that died between is never read.
 */
export const beganItem = (began: string | undefined): Item =>
  began === undefined ? {} : { began: text(began) };

/** Whether an item was written since the catalogue began, or by the run that began it. */
export function isOfThisBeginning(item: Item, began: string | undefined): boolean {
  return item.began?.S === undefined || began === undefined || item.began.S === began;
}
