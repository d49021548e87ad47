import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createStateStore } from '../../lambdas/store/dynamodb.ts';
import { createDynamoDocuments } from '../../lambdas/store/items-dynamodb.ts';
import type { Listing } from '../../lambdas/store/listing.ts';
import { toJson } from '../../lambdas/store/packed.ts';
import { createTestClock } from '../run/test-clock.ts';
import { beginning, chunkOf, describeStateStore, finish, keyOf, noon, overlap, rowAt } from './behaviour.ts';
import { createTable } from './create-table.ts';
import { describeDocuments, longText } from './documents.ts';
import { describeForgetting } from './forgetting.ts';
import { type LaggingReplica, laggingReplica } from './lagging-replica.ts';
import { type LocalTable, openLocalTable } from './local-table.ts';
import { describeMovedMark } from './moved-mark.ts';
import { tableKeys } from './table-keys.ts';

let local: LocalTable;
beforeAll(async () => {
  local = await openLocalTable();
});
afterAll(() => local.close());

const open = (catalogue: string, runId = 'run') =>
  createStateStore({ dynamodb: local.dynamodb, table: local.table, catalogue, runId, clock: systemClock });

describeStateStore('in DynamoDB', open);
describeMovedMark('in DynamoDB', open);
describeForgetting('in DynamoDB', open);

describe('a state in DynamoDB whose replica lags', () => {
  let replica: LaggingReplica;
  beforeAll(async () => {
    replica = laggingReplica(local.dynamodb);
    await createTable(replica.dynamodb, `lagging${local.table}`, tableKeys);
  });
  const table = () => `lagging${local.table}`;
  const openLagging = (catalogue: string, runId = 'run') =>
    createStateStore({
      dynamodb: replica.dynamodb,
      table: table(),
      catalogue,
      runId,
      clock: systemClock,
    });
  describeStateStore('in DynamoDB, from which no weak read is taken', openLagging);
  describeMovedMark('in DynamoDB, from which no weak read is taken', openLagging);
  describeForgetting('in DynamoDB, from which no weak read is taken', openLagging);
  describeDocuments('in DynamoDB, from which no weak read is taken', (catalogue, runId = 'run') =>
    createDynamoDocuments({
      dynamodb: replica.dynamodb,
      table: table(),
      catalogue,
      runId,
      clock: createTestClock(),
    }),
  );
});

describe('a listing that is larger than an item', { tags: 'slow' }, () => {
  /** Panels that do not compress well, of about so many bytes. */
  const largeListing = (bytes: number, readAt: bigint): Listing => ({
    panels: new Map(
      Array.from({ length: bytes / 1000 }, (_, id) => [
        id,
        {
          name: `Panel ${id}`,
          facts: {
            types: [],
            diseaseGroup: longText(1000, id + 1),
            diseaseSubGroup: '',
            relevantDisorders: [],
            signedOff: false,
          },
          versions: [],
        },
      ]),
    ),
    typeSlugs: new Map(),
    readAt,
    listedAt: 5,
    requests: { readings: [], absent: [], notBefore: null },
  });

  test('is kept in parts, and comes back whole after it was replaced', async () => {
    const [first, second] = [largeListing(1_500_000, noon), largeListing(1_200_000, noon + 1n)];
    await open('large-listing').saveListing(first);
    await open('large-listing', 'other').saveListing(second);
    expect(await open('large-listing').listing()).toStrictEqual(second);
    await open('large-listing', 'third').saveListing(first);
    expect(await open('large-listing').listing()).toStrictEqual(second);
  });

  test('is null where a part of it is missing: events can do without it', async () => {
    await open('torn-listing').saveListing(largeListing(1_000_000, noon));
    const pk = { S: 'catalogue#torn-listing#panels#parts#listing' };
    const { Items: parts = [] } = await local.dynamodb.send(
      new QueryCommand({
        TableName: local.table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      }),
    );
    const { sk = { S: '' } } = parts.at(-1) ?? {};
    await local.dynamodb.send(new DeleteItemCommand({ TableName: local.table, Key: { pk, sk } }));
    expect(await open('torn-listing').listing()).toBeNull();
    const next = largeListing(1_000, noon + 1n);
    await open('torn-listing').saveListing(next);
    expect(await open('torn-listing').listing()).toStrictEqual(next);
  });
});

describe('a state in DynamoDB', () => {
  test('reads the newest values, not those of a replica that lags after', async () => {
    await open('consistent').begin(beginning(), []);
    const sent: unknown[] = [];
    const send = local.dynamodb.send.bind(local.dynamodb);
    const spied = vi.spyOn(local.dynamodb, 'send');
    spied.mockImplementation(((command: { input: unknown }) => {
      sent.push(command.input);
      return send(command as never);
    }) as never);
    await open('consistent').load(overlap);
    expect(sent.length).toBeGreaterThan(0);
    for (const input of sent) expect(input).toMatchObject({ ConsistentRead: true });
  });

  test('refuses a run that writes from an old position, also where it wrote the newer ones itself', async () => {
    const store = open('old-position');
    const first = await store.begin(beginning(), []);
    const second = await store.update(first, { waits: 1 });
    await store.update(second, { waits: 2 });
    await expect(store.update(first, { waits: 3 })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringMatching(/another run has moved it from version 1 to 3\./),
    });
    await expect(open('never-begun').update(first, { waits: 1 })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringMatching(/from version 1 to nothing\./),
    });
  });

  test('keeps a moved mark until a later move goes as far back', async () => {
    await open('moved').begin(beginning(), []);
    await finish(open('moved'), [rowAt('1', noon + 10n)]);
    const moveTo = async (mark: bigint) => {
      const { position } = (await open('moved').load(overlap)) ?? {};
      if (!position) throw new Error('nothing was begun');
      const { moves } = await open('moved').moveMark(position, mark);
      return moves?.map(({ after, until }) => [after, until]);
    };
    expect(await moveTo(noon + 2n)).toStrictEqual([[noon + 2n, noon + 10n]]);
    await finish(open('moved'), [rowAt('2', noon + 20n)]);
    expect(await moveTo(noon + 5n)).toStrictEqual([
      [noon + 2n, noon + 10n],
      [noon + 5n, noon + 20n],
    ]);
    await finish(open('moved'), [rowAt('3', noon + 30n)]);
    expect(await moveTo(noon + 1n)).toStrictEqual([[noon + 1n, noon + 30n]]);
  });

  const put = (
    catalogue: string,
    sk: string,
    item: Record<string, { S?: string; N?: string; B?: Uint8Array }>,
  ) =>
    local.dynamodb.send(
      new PutItemCommand({
        TableName: local.table,
        Item: { pk: { S: `catalogue#${catalogue}` }, sk: { S: sk }, ...item } as never,
      }),
    );
  test('that was deleted is an error', async () => {
    await put('lost', 'origin', {});
    await expect(open('lost').load(overlap)).rejects.toMatchObject({
      code: 'STATE_LOST',
      message: expect.stringContaining('--from'),
    });
  });

  test.each<[name: string, wrong: object | null, pending: object]>([
    ['without a position', null, {}],
    ['without a mark', { mark: undefined }, {}],
    ['with a mark that is no number', { mark: 'x' }, {}],
    ['with a chunk that is no chunk', {}, { pending: { B: Uint8Array.of(1) } }],
  ])('%s is an error', async (name, wrong, pending) => {
    const begun = await open(name).begin(beginning(), []);
    const position = wrong ? { position: { S: toJson({ ...begun, ...wrong }) } } : {};
    const item = { format: { N: '1' }, version: { N: '1' }, table: { S: local.table }, ...position };
    await put(name, 'position', { ...item, ...pending });
    await expect(open(name).load(overlap)).rejects.toMatchObject({ code: 'STATE_CORRUPT' });
  });

  test.each([
    ['a newer version', { format: { N: '2' } }, 'STATE_NEWER', 'a newer version of the notifier'],
    ['a development version', { mark: { N: '7' } }, 'STATE_CORRUPT', 'a development version'],
  ])('of %s is an error', async (version, item, code, says) => {
    await put(version, 'position', item);
    await expect(open(version).load(overlap)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(says),
    });
  });

  test('survives a first run that died before the position was there', async () => {
    await put('half-begun', 'ledger#00000000000000001#0000000001', {
      keys: { B: Buffer.from(keyOf('1'), 'hex') },
    });
    expect(await open('half-begun').load(overlap)).toBeNull();
  });

  test('does not know what a first run had read that died before its position was there', async () => {
    const dying = Object.create(local.dynamodb) as typeof local.dynamodb;
    dying.send = (async (command: never) => {
      if ((command as object) instanceof PutItemCommand) {
        const { Item } = (command as PutItemCommand).input;
        if (Item?.sk?.S === 'position') throw new Error('killed');
      }
      return local.dynamodb.send(command);
    }) as never;
    const first = createStateStore({
      dynamodb: dying,
      table: local.table,
      catalogue: 'died-early',
      runId: 'first',
      clock: systemClock,
    });
    const green = { rating: 'green', at: noon, unpaired: [] } as const;
    const known = { entities: new Map([['7#gene#BRCA1', green]]), panels: new Map() };
    const rows = [rowAt('1', noon), rowAt('2', null)];
    await expect(first.begin(beginning(), rows, known)).rejects.toThrow('killed');

    const store = open('died-early', 'second');
    await store.begin(beginning({ mark: noon - 1n }), [rowAt('3', noon - 1n)]);
    expect((await open('died-early', 'third').load(overlap))?.seen).toStrictEqual(
      new Map([[keyOf('3'), noon - 1n]]),
    );
    const third = open('died-early', 'third');
    await finish(third, [rowAt('4', noon)]);
    expect(await third.ledger(0n)).toStrictEqual(
      new Map([
        [keyOf('3'), noon - 1n],
        [keyOf('4'), noon],
      ]),
    );
    expect(await third.entities(['7#gene#BRCA1'])).toStrictEqual(new Map());
  });

  test('recognises its own write when the reply was lost', async () => {
    const lossy = Object.create(local.dynamodb) as typeof local.dynamodb;
    let lose = 1;
    lossy.send = (async (command: never) => {
      const reply = await local.dynamodb.send(command);
      // The SDK repeats a call whose reply was lost.
      if ((command as object) instanceof PutItemCommand && lose-- > 0) return local.dynamodb.send(command);
      return reply;
    }) as never;
    const store = createStateStore({
      dynamodb: lossy,
      table: local.table,
      catalogue: 'lossy',
      runId: 'mine',
      clock: systemClock,
    });
    const begun = await store.begin(beginning(), []);
    expect(begun.version).toBe(1);
    lose = 1;
    expect((await store.record(begun, chunkOf())).version).toBe(2);
  });

  test('reads a ledger of many pages in full', async () => {
    const inPagesOfTwo = Object.create(local.dynamodb) as typeof local.dynamodb;
    inPagesOfTwo.send = ((command: never) => {
      if ((command as object) instanceof QueryCommand) (command as QueryCommand).input.Limit = 2;
      return local.dynamodb.send(command);
    }) as never;
    const store = createStateStore({
      dynamodb: inPagesOfTwo,
      table: local.table,
      catalogue: 'long',
      runId: 'run',
      clock: systemClock,
    });
    await store.begin(beginning(), []);
    const rows = [1, 2, 3, 4, 5].map((index) => rowAt(String(index), noon + BigInt(index)));
    for (const row of rows) await finish(store, [row]);
    const seen = new Map(rows.map(({ key, at }) => [key, at]));
    expect((await store.load(overlap))?.seen).toStrictEqual(seen);
    expect(await store.ledger(noon)).toStrictEqual(seen);
  });

  test('writes again what the table left unprocessed, and fails when it never takes it', async () => {
    const mock = mockClient(DynamoDBClient);
    onTestFinished(() => mock.restore());
    const unprocessed = (keys: readonly unknown[]) => ({ UnprocessedItems: { t: keys as never } });
    const store = createStateStore({
      dynamodb: new DynamoDBClient({ region: 'local' }),
      table: 't',
      catalogue: 'uk',
      runId: 'run',
      clock: createTestClock(),
    });
    const request = { PutRequest: { Item: { pk: { S: 'left' } } } };
    mock.on(PutItemCommand).resolves({});
    mock
      .on(BatchWriteItemCommand)
      .resolvesOnce(unprocessed([request]))
      .resolves({});
    await store.begin(beginning(), [rowAt('1', noon)]);
    const [, second] = mock.commandCalls(BatchWriteItemCommand);
    expect(second?.args[0].input.RequestItems).toStrictEqual({ t: [request] });
    mock.on(BatchWriteItemCommand).resolves(unprocessed([request]));
    await expect(store.begin(beginning(), [rowAt('1', noon)])).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('left part of the request undone 6 times'),
    });
  });

  test('says that it was restored or copied, where another table is named in it', async () => {
    const begun = await open('restored').begin(beginning(), []);
    const item = { format: { N: '1' }, version: { N: '1' }, table: { S: 'before-the-restore' } };
    await put('restored', 'position', { ...item, position: { S: toJson(begun) } });
    const stored = await open('restored').load(overlap);
    expect(stored?.rollback).toStrictEqual({
      found: expect.stringContaining('It was written to table "before-the-restore" and is read from table'),
      mark: null,
    });
    await open('restored').update(begun, { count: 4 });
    expect((await open('restored').load(overlap))?.rollback).toBeNull();
  });

  test('says what to do when the table is not there', async () => {
    const store = createStateStore({
      dynamodb: local.dynamodb,
      table: 'no-such-table',
      catalogue: 'uk',
      runId: 'run',
      clock: systemClock,
    });
    await expect(store.load(overlap)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('no-such-table'),
    });
  });
});
