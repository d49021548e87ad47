import type { Instant } from '../run/instant.ts';
import { type Item, number, text } from './dynamodb-call.ts';
import { ABSENT, asRead, type DynamoTable, keyItem, type StateTableOptions } from './dynamodb-table.ts';
import { LEDGER, ledgerKey, UNPLACED } from './ledger-items.ts';
import type { Position } from './position.ts';
import { ORIGIN, POSITION, positionItem, type ReadPosition, readPosition } from './position-item.ts';
import { StateError } from './state-error.ts';
import type { Chunk } from './store.ts';

/** Nothing is recorded that is perhaps not published. */
const AT_REST = 'attribute_exists(pk) AND attribute_not_exists(pending)';

/** Items in one page of the query that loads the state: most polls need the first page only. */
const PAGE_ITEMS = 100;

/** What one query of a catalogue's partition finds. */
interface LoadedItems {
  readonly read: ReadPosition;
  /** The items of the ledger since the overlap. */
  readonly placed: readonly Item[];
  /** Those of rows whose time is unusable. */
  readonly unplaced: readonly Item[];
}

interface DynamoPosition {
  /** The run that began the catalogue, once it is known. */
  began(): string | undefined;
  /** Null where no poll has begun. */
  load(overlap: Instant): Promise<LoadedItems | null>;
  isBegun(): Promise<boolean>;
  /** A poll that has read what was known before stops before it records anything, and begins again. */
  outdateReaders(): Promise<void>;
  /** The position alone; null where there is none. */
  read(): Promise<ReadPosition | null>;
  /** Writes the first position of a catalogue, which this run begins. */
  begin(first: Position): Promise<Position>;
  /**
   * Writes the position that follows another one, with the chunk that is recorded in it.
   *
   * @throws {StateError} `STATE_CONFLICT` when another run has written since
   */
  write(before: Position, after: Position, pending?: Chunk): Promise<Position>;
}

/** The item that holds the position of a catalogue, and the recorded chunk in it. */
export function createDynamoPosition(
  table: DynamoTable,
  { pk, options }: { readonly pk: string; readonly options: StateTableOptions },
): DynamoPosition {
  const { where } = table;
  const key = { pk, sk: POSITION };
  let began: string | undefined;

  const readItem = (item: Item): ReadPosition => {
    const read = readPosition(item, where);
    began = read.began;
    return read;
  };

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
    began: () => began,
    load: (overlap) => loadItems(table, { pk, overlap, readItem }),

    isBegun: async () => (await table.get(key)) !== undefined,
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

    async begin(first) {
      began = options.runId;
      const begun = await write(null, first);
      await table.putAll([{ ...keyItem({ pk, sk: ORIGIN }), writer: text(options.runId) }]);
      return begun;
    },

    write,
  };
}

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
