import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../clock/clock.ts';
import type { Instant } from '../clock/instant.ts';
import { type Item, number, text } from './attributes.ts';
import { dynamodbCall } from './dynamodb-call.ts';
import { ledgerSinceOfFormat1 } from './format-1.ts';
import {
  entityItem,
  holdsChunk,
  ORIGIN,
  POSITION,
  packChunk,
  packListing,
  panelItem,
  positionItem,
  type ReadPosition,
  readEntity,
  readListing,
  readPanel,
  readPosition,
} from './items.ts';
import { MOST_UNPLACED_ROWS, seenRows } from './ledger.ts';
import {
  LEDGER,
  ledgerItems,
  ledgerKey,
  ledgerRowsOf,
  seenRowsOf,
  UNPLACED,
  unplacedItem,
} from './ledger-items.ts';
import { firstPosition, movedPosition, movesBack, nextPosition } from './next-position.ts';
import { panelIdOf, panelKey } from './panel-key.ts';
import { partitionOf } from './partition.ts';
import {
  type Chunk,
  type EntityState,
  type KnownStates,
  type LedgerRow,
  type MovableStore,
  type MovedMark,
  type PanelState,
  type Position,
  type SetBack,
  StateError,
  type Stored,
} from './store.ts';

/** No other run has written since this one read. */
const UNCHANGED = 'version = :version';
/** No run has begun. */
const ABSENT = 'attribute_not_exists(pk)';
/** A run that lost its place must not put an older state over a newer one. */
const NOT_NEWER = 'attribute_not_exists(pk) OR version <= :version';

/** The greatest number that a ledger key can have. */
const LAST_INSTANT = 10n ** 17n - 1n;

const QUERY_ITEMS = 100;
const GET_KEYS = 100;
const WRITE_ITEMS = 25;
const PARALLEL = 8;
const ATTEMPTS = 6;

export interface DynamoOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly catalogue: string;
  /** Distinguishes this run's writes from another's, where a reply was lost. */
  readonly runId: string;
  readonly clock: Clock;
}

/** The state of one catalogue in DynamoDB (`items.ts` shows the keys). */
export function createStateStore({ dynamodb, table, catalogue, runId, clock }: DynamoOptions): MovableStore {
  const pk = partitionOf(catalogue);
  const where = `the position of catalogue "${catalogue}" in table "${table}"`;
  /** All rows without a usable time, as loaded, and the items that hold them. */
  let unplaced: { readonly rows: readonly LedgerRow[]; readonly items: readonly string[] } = {
    rows: [],
    items: [],
  };

  let moves: readonly MovedMark[] = [];

  async function* itemsDescending(): AsyncGenerator<Item> {
    let from: Item | undefined;
    do {
      const page = await attempt('read', () =>
        dynamodb.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': text(pk) },
            ConsistentRead: true,
            ScanIndexForward: false,
            Limit: QUERY_ITEMS,
            ...(from && { ExclusiveStartKey: from }),
          }),
        ),
      );
      yield* page.Items ?? [];
      from = page.LastEvaluatedKey;
    } while (from);
  }

  const load = async (overlap: bigint): Promise<Stored | null> => {
    const ledger: Item[] = [];
    const unplacedItems: Item[] = [];
    let read: ReadPosition | undefined;
    let begun = false;
    let floor = '';
    for await (const item of itemsDescending()) {
      const key = item.sk?.S ?? '';
      if (key === POSITION) {
        read = readPosition(item, where);
        // Format 1 shows how far its ledger reaches only as a whole.
        if (read.position.ledgerSince !== null) floor = ledgerKey(read.position.mark - overlap);
      } else if (key.startsWith(UNPLACED)) unplacedItems.push(item);
      else if (key === ORIGIN) begun = true;
      else if (!key.startsWith(LEDGER)) continue;
      else if (!read || key < floor) break;
      else ledger.push(item);
    }
    if (!read) {
      if (!begun) return null;
      throw new StateError(
        'STATE_LOST',
        `Reading ${where}: this catalogue was read before, but its position is gone. Starting from now would lose what happened since. Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.`,
      );
    }
    const { ledgerSince, ...rest } = read.position;
    const position = { ...rest, ledgerSince: ledgerSince ?? ledgerSinceOfFormat1(rest, ledger) };
    unplaced = {
      rows: unplacedItems.flatMap(ledgerRowsOf),
      items: unplacedItems.map(({ sk }) => sk?.S ?? ''),
    };
    moves = position.moves ?? [];
    const seen = seenRows([...ledger.flatMap((item) => seenRowsOf(item, moves)), ...unplaced.rows]);
    return { position, pending: read.pending, seen, setBack: setBackOf(read) };
  };

  /** A position that was written to another table was restored from a backup, or copied. */
  const setBackOf = ({ table: before }: ReadPosition): SetBack | null =>
    before === null || before === table
      ? null
      : {
          found: `It was written to table "${before}" and is read from table "${table}": this table was restored from a backup, or copied.`,
          mark: null,
        };

  const write = async (before: Position | null, after: Position, pending?: Chunk): Promise<Position> => {
    const writer = `${runId}/${after.version}`;
    const item = positionItem(after, { writer, table, pending: pending && packChunk(pending) });
    try {
      await attempt('write', () =>
        dynamodb.send(
          new PutItemCommand({
            TableName: table,
            Item: { pk: text(pk), sk: text(POSITION), ...item },
            ConditionExpression: before ? UNCHANGED : ABSENT,
            ...(before && { ExpressionAttributeValues: { ':version': number(before.version) } }),
          }),
        ),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The reply to an earlier attempt may have been lost: then this run wrote what is there.
      const { Item: there } = await attempt('read', () =>
        dynamodb.send(
          new GetItemCommand({
            TableName: table,
            Key: { pk: text(pk), sk: text(POSITION) },
            ConsistentRead: true,
          }),
        ),
      );
      if (there?.writer?.S === writer && Number(there?.version?.N) === after.version) return after;
      throw new StateError(
        'STATE_CONFLICT',
        `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there?.version?.N ?? 'nothing'}. This run stops; nothing is lost, the other one goes on.`,
        { cause: error },
      );
    }
    return after;
  };

  const writeBatch = async (puts: readonly Item[], deletes: readonly string[] = []): Promise<void> => {
    const requests = [
      ...puts.map((Item) => ({ PutRequest: { Item } })),
      ...deletes.map((sk) => ({ DeleteRequest: { Key: { pk: text(pk), sk: text(sk) } } })),
    ];
    for (let at = 0; at < requests.length; at += WRITE_ITEMS) {
      let left: NonNullable<(typeof requests)[number]>[] = requests.slice(at, at + WRITE_ITEMS);
      await untilDone('write', async () => {
        const reply = await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [table]: left } }));
        left = (reply.UnprocessedItems?.[table] ?? []) as typeof left;
        return left.length === 0;
      });
    }
  };

  /** Adds rows to the ledger; gives the sort keys of items that are replaced once the mark has moved. */
  const addToLedger = async (rows: readonly LedgerRow[], version: number): Promise<readonly string[]> => {
    const items = ledgerItems(pk, rows, version);
    const added = rows.filter(({ at, key }) => at === null && !unplaced.rows.some((row) => row.key === key));
    if (added.length === 0) {
      await writeBatch(items);
      return [];
    }
    const before = unplaced;
    const all = [...before.rows, ...added].slice(-MOST_UNPLACED_ROWS);
    const item = unplacedItem(pk, all, version);
    await writeBatch([...items, item]);
    unplaced = { rows: all, items: [item.sk?.S ?? ''] };
    return before.items;
  };

  /** The ledger's items whose newest row is dated at or after an instant. */
  const ledgerItemsSince = async (since: Instant): Promise<readonly Item[]> => {
    const items: Item[] = [];
    let from: Item | undefined;
    do {
      const page = await attempt('read', () =>
        dynamodb.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
            ExpressionAttributeValues: {
              ':pk': text(pk),
              ':first': text(ledgerKey(since)),
              ':last': text(ledgerKey(LAST_INSTANT)),
            },
            ConsistentRead: true,
            ...(from && { ExclusiveStartKey: from }),
          }),
        ),
      );
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from);
    return items;
  };

  const saveKnown = async ({ entities, panels }: KnownStates, version: number): Promise<void> => {
    const items = [
      ...[...entities].map(([key, state]) => ({ sk: text(key), ...entityItem(state, version) })),
      ...[...panels].map(([id, state]) => ({ sk: text(panelKey(id)), ...panelItem(state, version) })),
    ];
    for (let at = 0; at < items.length; at += PARALLEL) {
      await Promise.all(items.slice(at, at + PARALLEL).map((item) => saveUnlessNewer(item, version)));
    }
  };

  const saveUnlessNewer = async (item: Item, version: number): Promise<void> => {
    try {
      await attempt('write', () =>
        dynamodb.send(
          new PutItemCommand({
            TableName: table,
            Item: { pk: text(`${pk}#known`), ...item },
            ConditionExpression: NOT_NEWER,
            ExpressionAttributeValues: { ':version': number(version) },
          }),
        ),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };

  /** Items of the partition `known` by their sort keys. */
  const knownItems = async (keys: readonly string[]): Promise<ReadonlyMap<string, Item>> => {
    const items = new Map<string, Item>();
    for (let at = 0; at < keys.length; at += GET_KEYS) {
      let left: Item[] = keys
        .slice(at, at + GET_KEYS)
        .map((key) => ({ pk: text(`${pk}#known`), sk: text(key) }));
      await untilDone('read', async () => {
        const reply = await dynamodb.send(
          new BatchGetItemCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
        );
        for (const item of reply.Responses?.[table] ?? []) items.set(item.sk?.S ?? '', item);
        left = reply.UnprocessedKeys?.[table]?.Keys ?? [];
        return left.length === 0;
      });
    }
    return items;
  };

  const attempt = <Reply>(action: 'read' | 'write', send: () => Promise<Reply>): Promise<Reply> =>
    dynamodbCall(send, {
      action: `${action === 'read' ? 'Reading' : 'Writing'} ${where}`,
      unchanged: 'The mark is unchanged',
    });

  const untilDone = async (action: 'read' | 'write', step: () => Promise<boolean>): Promise<void> => {
    for (let tries = 1; !(await attempt(action, step)); tries++) {
      if (tries === ATTEMPTS) {
        throw new StateError(
          'STATE_UNAVAILABLE',
          `${action === 'read' ? 'Reading' : 'Writing'} ${where}: the table left part of the request undone ${ATTEMPTS} times. The mark is unchanged; the next run tries again.`,
        );
      }
      await clock.sleep(clock.random() * 100 * 2 ** tries);
    }
  };

  return {
    load,

    async begin(at, rows, known = { entities: new Map(), panels: new Map() }) {
      await addToLedger(rows, 1);
      await saveKnown(known, 1);
      const begun = await write(null, firstPosition(at));
      await writeBatch([{ pk: text(pk), sk: text(ORIGIN), writer: text(runId) }]);
      return begun;
    },

    holds: holdsChunk,

    record: (position, chunk) => write(position, nextPosition(position, {}), chunk),

    async advance(position, chunk) {
      const replaced = await addToLedger(chunk.rows, position.version);
      await saveKnown(chunk, position.version);
      const after = await write(position, nextPosition(position, chunk.next));
      await writeBatch([], replaced);
      return after;
    },

    note: (position, note) => write(position, nextPosition(position, note)),

    // One write, so that a poll that begins meanwhile sees all of the move or none of it.
    moveMark: (position, mark) => write(position, movedPosition(position, mark, movesBack(position, mark))),

    async ledger(since) {
      const rows = (await ledgerItemsSince(since)).flatMap((item) => seenRowsOf(item, moves));
      return seenRows([...rows.filter(({ at }) => at !== null && at >= since), ...unplaced.rows]);
    },

    async entities(keys) {
      const entities = new Map<string, EntityState>();
      for (const [key, item] of await knownItems(keys)) entities.set(key, readEntity(item, where));
      return entities;
    },

    async panels(ids) {
      const panels = new Map<number, PanelState>();
      for (const [key, item] of await knownItems(ids.map(panelKey)))
        panels.set(panelIdOf(key), readPanel(item, where));
      return panels;
    },

    async countShapes(shapes, at) {
      for (const [shape, count] of shapes) {
        await attempt('write', () =>
          dynamodb.send(
            new UpdateItemCommand({
              TableName: table,
              Key: { pk: text(`${pk}#shapes`), sk: text(shape || ' ') },
              UpdateExpression: 'ADD seen :count SET lastAt = :at',
              ExpressionAttributeValues: { ':count': number(count), ':at': number(at) },
            }),
          ),
        );
      }
    },

    async shapes() {
      const { Items: items = [] } = await attempt('read', () =>
        dynamodb.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': text(`${pk}#shapes`) },
          }),
        ),
      );
      return items.map(({ sk, seen, lastAt }) => ({
        shape: sk?.S ?? '',
        count: Number(seen?.N),
        lastAt: BigInt(lastAt?.N ?? 0),
      }));
    },

    async listing() {
      const { Item: item } = await attempt('read', () =>
        dynamodb.send(
          new GetItemCommand({ TableName: table, Key: { pk: text(`${pk}#panels`), sk: text('listing') } }),
        ),
      );
      return item ? readListing(item, where) : null;
    },

    async saveListing(listing) {
      await attempt('write', () =>
        dynamodb.send(
          new PutItemCommand({
            TableName: table,
            Item: { pk: text(`${pk}#panels`), sk: text('listing'), listed: packListing(listing) },
          }),
        ),
      );
    },
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
