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
import {
  holdsChunk,
  type Item,
  knownItem,
  LEDGER,
  ledgerKey,
  number,
  ORIGIN,
  POSITION,
  packChunk,
  packKeys,
  packListing,
  partitionOf,
  positionItem,
  readKnown,
  readListing,
  readPosition,
  text,
  unpackKeys,
} from './items.ts';
import {
  type Chunk,
  type Known,
  type KnownEntities,
  type Position,
  StateError,
  type StateStore,
} from './store.ts';

/** Nobody wrote since this writer read. */
const UNCHANGED = 'version = :version';
/** Nobody has begun. */
const ABSENT = 'attribute_not_exists(pk)';
/** A writer that lost its place must not put older knowledge over newer. */
const NOT_NEWER = 'attribute_not_exists(pk) OR version <= :version';

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

/** The place in one catalogue's log, in DynamoDB (`items.ts` shows the keys). */
export function createStateStore({ dynamodb, table, catalogue, runId, clock }: DynamoOptions): StateStore {
  const pk = partitionOf(catalogue);
  const where = `the position of catalogue "${catalogue}" in table "${table}"`;
  let outdated: string[] = [];

  const load: StateStore['load'] = async (overlap) => {
    const found: Item[] = [];
    const seen = new Set<string>();
    outdated = [];
    let stored: ReturnType<typeof readPosition> | undefined;
    let floor = '';
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
      for (const item of page.Items ?? []) {
        const key = item.sk?.S ?? '';
        found.push(item);
        if (key === POSITION) {
          stored = readPosition(item, where);
          floor = ledgerKey(stored.position.mark - overlap);
        } else if (key.startsWith(LEDGER)) {
          if (key >= floor) for (const row of unpackKeys(item.keys)) seen.add(row);
          else outdated.push(key);
        }
      }
      from = stored && outdated.length === 0 ? page.LastEvaluatedKey : undefined;
    } while (from);
    if (stored) return { ...stored, seen };
    if (!found.some((item) => item.sk?.S === ORIGIN)) return null;
    throw new StateError(
      'STATE_LOST',
      `Reading ${where}: this catalogue was read before, but its position is gone. Starting from now would lose what happened since. Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.`,
    );
  };

  const write = async (before: Position | null, item: Item): Promise<void> => {
    const version = (before?.version ?? 0) + 1;
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
      // The reply to an earlier attempt may have been lost: then what is there is ours.
      const { Item: there } = await attempt('read', () =>
        dynamodb.send(
          new GetItemCommand({
            TableName: table,
            Key: { pk: text(pk), sk: text(POSITION) },
            ConsistentRead: true,
          }),
        ),
      );
      if (there?.writer?.S === item.writer?.S && Number(there?.version?.N) === version) return;
      throw new StateError(
        'STATE_CONFLICT',
        `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there?.version?.N ?? 'nothing'}. This run stops; nothing is lost, the other one goes on.`,
        { cause: error },
      );
    }
  };

  const move = async (
    before: Position | null,
    change: Partial<Position>,
    pending?: Chunk,
  ): Promise<Position> => {
    const { notBefore: _expired, ...rest } = {
      ...(before ?? { mark: 0n, start: 0n, count: null, source: null }),
      ...change,
    };
    const after: Position = {
      ...rest,
      version: (before?.version ?? 0) + 1,
      ...(change.notBefore !== undefined && { notBefore: change.notBefore }),
    };
    await write(before, positionItem(after, `${runId}/${after.version}`, pending && packChunk(pending)));
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

  const ledgerItems = ({ keys, newest }: Chunk['rows'], version: number): Item[] =>
    keys.length === 0 ? [] : [{ pk: text(pk), sk: text(ledgerKey(newest, version)), keys: packKeys(keys) }];

  const saveKnown = async (known: KnownEntities, version: number): Promise<void> => {
    const entries = [...known];
    for (let at = 0; at < entries.length; at += PARALLEL) {
      await Promise.all(entries.slice(at, at + PARALLEL).map(([key, value]) => saveOne(key, value, version)));
    }
  };

  const saveOne = async (key: string, value: Known, version: number): Promise<void> => {
    try {
      await attempt('write', () =>
        dynamodb.send(
          new PutItemCommand({
            TableName: table,
            Item: { pk: text(`${pk}#known`), sk: text(key), ...knownItem(value, version) },
            ConditionExpression: NOT_NEWER,
            ExpressionAttributeValues: { ':version': number(version) },
          }),
        ),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };

  const attempt = async <Reply>(action: 'read' | 'write', send: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await send();
    } catch (cause) {
      if (cause instanceof ConditionalCheckFailedException) throw cause;
      const seen = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      throw new StateError(
        'STATE_UNAVAILABLE',
        `${action === 'read' ? 'Reading' : 'Writing'} ${where}: ${seen}. The mark is where it was; the next run tries again. Check that the table exists and that this role may use it.`,
        { cause },
      );
    }
  };

  const untilDone = async (action: 'read' | 'write', step: () => Promise<boolean>): Promise<void> => {
    for (let tries = 1; !(await attempt(action, step)); tries++) {
      if (tries === ATTEMPTS) {
        throw new StateError(
          'STATE_UNAVAILABLE',
          `${action === 'read' ? 'Reading' : 'Writing'} ${where}: the table left part of the request undone ${ATTEMPTS} times. The mark is where it was; the next run tries again.`,
        );
      }
      await clock.sleep(clock.random() * 100 * 2 ** tries);
    }
  };

  return {
    load,

    async begin(position, seen, known = new Map()) {
      await writeBatch(ledgerItems(seen, 1));
      await saveKnown(known, 1);
      const begun = await move(null, position);
      await writeBatch([{ pk: text(pk), sk: text(ORIGIN), writer: text(runId) }]);
      return begun;
    },

    holds: holdsChunk,

    record: (position, chunk) => move(position, {}, chunk),

    async advance(position, chunk) {
      await writeBatch(ledgerItems(chunk.rows, position.version));
      await saveKnown(chunk.known, position.version);
      const after = await move(position, chunk.next);
      await writeBatch([], outdated.splice(0, WRITE_ITEMS));
      return after;
    },

    postpone: (position, notBefore) => move(position, { notBefore }),

    async known(keys) {
      const known = new Map<string, Known>();
      for (let at = 0; at < keys.length; at += GET_KEYS) {
        let left: Item[] = keys
          .slice(at, at + GET_KEYS)
          .map((key) => ({ pk: text(`${pk}#known`), sk: text(key) }));
        await untilDone('read', async () => {
          const reply = await dynamodb.send(
            new BatchGetItemCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
          );
          for (const item of reply.Responses?.[table] ?? [])
            known.set(item.sk?.S ?? '', readKnown(item, where));
          left = reply.UnprocessedKeys?.[table]?.Keys ?? [];
          return left.length === 0;
        });
      }
      return known;
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
            Item: { pk: text(`${pk}#panels`), sk: text('listing'), listing: packListing(listing) },
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
