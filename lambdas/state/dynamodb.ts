import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../clock/instant.ts';
import { type Item, number, text } from '../dynamodb/attribute-values.ts';
import { createDynamoKnownStates } from './dynamodb-known-states.ts';
import { createDynamoLedger } from './dynamodb-ledger.ts';
import { createDynamoListing } from './dynamodb-listing.ts';
import { createDynamoPublished } from './dynamodb-published.ts';
import { createStateTable, type StateTableOptions } from './dynamodb-table.ts';
import { ledgerSinceOfFormat1 } from './format-1.ts';
import { WRITTEN_FORMAT } from './formats.ts';
import {
  isRecordable,
  ORIGIN,
  POSITION,
  packChunk,
  positionItem,
  type ReadPosition,
  readPosition,
} from './items.ts';
import { mayForget } from './ledger.ts';
import { LEDGER, ledgerKey, UNPLACED } from './ledger-items.ts';
import { firstPosition, movedPosition, movesBack, nextPosition } from './next-position.ts';
import { partitionOf } from './partition.ts';
import type { Position } from './position.ts';
import { StateError } from './state-error.ts';
import type { Chunk, MovableStore, Rollback, ShapeCount, Stored } from './store.ts';

/** No other run has written since this one read. */
const UNCHANGED = 'version = :version';
/** No run has begun. */
const ABSENT = 'attribute_not_exists(pk)';

/** Items in one page of the query that loads the state: most polls need the first page only. */
const PAGE_ITEMS = 100;

/** The state of one catalogue in DynamoDB (`items.ts` shows the keys). */
export function createStateStore(options: StateTableOptions): MovableStore {
  const table = createStateTable(options);
  const { where } = table;
  const pk = partitionOf(options.catalogue);
  const shapesPk = `${pk}#shapes`;
  const ledger = createDynamoLedger(table, pk);
  const listings = createDynamoListing(table, { catalogue: options.catalogue, runId: options.runId });
  const knownStates = createDynamoKnownStates(table, `${pk}#known`, () => began);
  const publications = createDynamoPublished(table, { pk, clock: options.clock });
  /** The run that began the catalogue, once it is known. */
  let began: string | undefined;

  const load = async (overlap: Instant): Promise<Stored | null> => {
    const placed: Item[] = [];
    const unplaced: Item[] = [];
    let read: ReadPosition | undefined;
    let isBegun = false;
    let floor = '';
    const newestFirst = table.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': text(pk) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: PAGE_ITEMS,
    });
    for await (const item of newestFirst) {
      const key = item.sk?.S ?? '';
      if (key === POSITION) {
        read = readPosition(item, where);
        began = read.began;
        // Format 1 shows how far its ledger reaches only as a whole.
        if (read.position.ledgerSince !== null) floor = ledgerKey(read.position.mark - overlap);
      } else if (key.startsWith(UNPLACED)) unplaced.push(item);
      else if (key === ORIGIN) isBegun = true;
      else if (!key.startsWith(LEDGER)) continue;
      else if (!read || key < floor) break;
      else placed.push(item);
    }
    if (!read) {
      if (!isBegun) return null;
      throw new StateError(
        'STATE_LOST',
        `Reading ${where}: this catalogue was read before, but its position is gone. Starting from now would lose what happened since. Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.`,
      );
    }
    const { ledgerSince, ...rest } = read.position;
    const position = { ...rest, ledgerSince: ledgerSince ?? ledgerSinceOfFormat1(rest, placed) };
    const seen = ledger.load({ placed, unplaced, moves: position.moves ?? [], began });
    const stored = { position, pending: read.pending, seen, rollback: rollbackOf(read) };
    return read.format < WRITTEN_FORMAT ? { ...stored, inEarlierForm: true } : stored;
  };

  /** A position that was written to another table was restored from a backup, or copied. */
  const rollbackOf = ({ table: before }: ReadPosition): Rollback | null =>
    before === null || before === options.table
      ? null
      : {
          found: `It was written to table "${before}" and is read from table "${options.table}": this table was restored from a backup, or copied.`,
          mark: null,
        };

  const write = async (before: Position | null, after: Position, pending?: Chunk): Promise<Position> => {
    const writer = `${options.runId}/${after.version}`;
    const item = positionItem(after, {
      writer,
      table: options.table,
      began,
      pending: pending && packChunk(pending),
    });
    try {
      await table.put(
        { pk: text(pk), sk: text(POSITION), ...item },
        {
          ConditionExpression: before ? UNCHANGED : ABSENT,
          ...(before && { ExpressionAttributeValues: { ':version': number(before.version) } }),
        },
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The reply to an earlier attempt may have been lost: then this run wrote what is there.
      const there = await table.get(pk, POSITION, { consistent: true });
      if (there?.writer?.S === writer && Number(there?.version?.N) === after.version) return after;
      throw new StateError(
        'STATE_CONFLICT',
        `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there?.version?.N ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
        { cause: error },
      );
    }
    return after;
  };

  return {
    load,

    async begin(at, rows, known = { entities: new Map(), panels: new Map() }) {
      await ledger.begin(rows, options.runId);
      await knownStates.save(known, 1, options.runId);
      began = options.runId;
      const begun = await write(null, firstPosition(at));
      await table.putAll([{ pk: text(pk), sk: text(ORIGIN), writer: text(options.runId) }]);
      return begun;
    },

    chunkRows: 100,
    canRecord: isRecordable,

    record: (position, chunk) => write(position, nextPosition(position, {}), chunk),

    async advance(position, chunk) {
      const replaced = await ledger.add(chunk.rows, position.version);
      await knownStates.save(chunk, position.version);
      await publications.keep(chunk.messages, position.version);
      const after = await write(position, nextPosition(position, chunk.next));
      await table.deleteAll(pk, replaced);
      return after;
    },

    update: (position, change) => write(position, nextPosition(position, change)),

    // One write, so that a poll that begins meanwhile sees all of the move or none of it.
    moveMark: (position, mark) => write(position, movedPosition(position, mark, movesBack(position, mark))),

    async forgetBefore(instant) {
      const item = await table.get(pk, POSITION, { consistent: true });
      if (!item || item.pending) return;
      const read = readPosition(item, where);
      began = read.began;
      const { ledgerSince, ...rest } = read.position;
      if (ledgerSince === null || !mayForget({ ...rest, ledgerSince }, instant)) return;
      // From this write on no poll reads what is deleted then; where a run dies between, the next one deletes it.
      await write({ ...rest, ledgerSince }, nextPosition({ ...rest, ledgerSince }, { ledgerSince: instant }));
      await ledger.forgetBefore(instant);
      await knownStates.forgetBefore(instant);
    },

    ledger: ledger.since,
    entities: knownStates.entities,
    panels: knownStates.panels,
    published: publications.published,
    silent: publications.silent,
    learn: publications.learn,

    async countShapes(shapes, at) {
      for (const [shape, count] of shapes) {
        await table.update({
          Key: { pk: text(shapesPk), sk: text(shape || ' ') },
          UpdateExpression: 'ADD seen :count SET lastAt = :at',
          ExpressionAttributeValues: { ':count': number(count), ':at': number(at) },
        });
      }
    },

    async shapes() {
      const items = table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': text(shapesPk) },
        ConsistentRead: true,
      });
      const shapes: ShapeCount[] = [];
      for await (const { sk, seen, lastAt } of items) {
        shapes.push({ shape: sk?.S ?? '', count: Number(seen?.N), lastAt: BigInt(lastAt?.N ?? 0) });
      }
      return shapes;
    },

    listing: listings.listing,
    saveListing: listings.saveListing,
  };
}

/** The table that `createStateStore` expects, as the local runs and tests create it. */
export const tableKeys = {
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' as const },
    { AttributeName: 'sk', KeyType: 'RANGE' as const },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' as const },
    { AttributeName: 'sk', AttributeType: 'S' as const },
  ],
};
