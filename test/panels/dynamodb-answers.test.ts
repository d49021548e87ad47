import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnswerStore } from '../../lambdas/panels/answer-store.ts';
import { createDynamoAnswers } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { type Item, text } from '../../lambdas/store/dynamodb-table.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../store/local-dynamodb.ts';
import { bodyOf, key, testAnswerStore } from './answers.ts';
import { at } from './made-up-states.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createHistoryTable(local.dynamodb, `answers${local.suffix}`);
});
afterAll(() => local.close());

const clock = createTestClock({ now: Number(at('2026-06-01T00:00:00') / 1000n) });
const open = (catalogue: string, dynamodb: DynamoDBClient = local.dynamodb): AnswerStore =>
  createDynamoAnswers({ dynamodb, table, catalogue, clock });
const itemsIn = async (partition: string): Promise<readonly Item[]> => {
  const asked = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': text(partition) } };
  const { Items: items = [] } = await local.dynamodb.send(new QueryCommand({ TableName: table, ...asked }));
  return items;
};
const basesOf = (catalogue: string): Promise<readonly Item[]> => itemsIn(`${catalogue}#answer-bases#3`);

let catalogues = 0;
testAnswerStore(() => {
  const catalogue = `catalogue-${catalogues++}`;
  return {
    store: open(catalogue),
    bytes: async () =>
      [...(await itemsIn(`${catalogue}#answers#3`)), ...(await basesOf(catalogue))].reduce(
        (sum, { body }) => sum + (body?.B ?? body?.S ?? '').length,
        0,
      ),
  };
});

/** Bytes that do not get smaller. */
function incompressible(length: number): Buffer {
  let state = 7;
  return Buffer.alloc(length).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  }) as Buffer;
}

test('an answer that is larger than an item is kept in parts, also where later ones differ much', async () => {
  const store = open('large');
  const random = incompressible(500_000);
  await store.keep(key(), random);
  expect((await basesOf('large'))[0]?.parts?.N).toBe('2');
  expect((await open('large').read(key()))?.equals(random)).toBe(true);
  const half = Buffer.concat([random.subarray(0, 250_000), random.map((byte) => byte ^ 0x55)]);
  const next = key({ version: '1.1', validFrom: at('2026-03-05T00:00:00') });
  await store.keep(next, half);
  expect((await open('large').read(next))?.equals(half)).toBe(true);
});

test('a run that dies while it keeps an answer leaves what the next run keeps', async () => {
  const dying = (after: number): DynamoDBClient => {
    let left = after;
    return new Proxy(local.dynamodb, {
      get: (client, name) =>
        name !== 'send'
          ? Reflect.get(client, name)
          : (command: Parameters<DynamoDBClient['send']>[0]) => {
              if (left-- <= 0) throw new Error('killed');
              return client.send(command);
            },
    });
  };
  let kills = 0;
  for (;;) {
    const catalogue = `killed-${kills}`;
    const died = await open(catalogue, dying(kills))
      .keep(key(), bodyOf())
      .then(
        () => false,
        () => true,
      );
    if (!died) break;
    kills += 1;
    expect(await open(catalogue).of(3)).toEqual([]);
    const later = key({ readAt: at('2026-03-03T00:00:00') });
    await open(catalogue).keep(later, bodyOf());
    expect((await open(catalogue).read(later))?.equals(bodyOf())).toBe(true);
  }
  expect(kills).toBeGreaterThan(2);
});

test('answers of other panels and catalogues are not among those of a panel', async () => {
  await open('alike').keep({ ...key(), panelId: 31 }, bodyOf());
  await open('alike-2').keep(key(), bodyOf());
  expect(await open('alike').of(3)).toEqual([]);
});

test('a damaged answer is an error that says what to do', async () => {
  await open('damaged').keep(key(), bodyOf());
  const [base] = await basesOf('damaged');
  await local.dynamodb.send(
    new PutItemCommand({ TableName: table, Item: { ...base, body: text('"no zstd"') } }),
  );
  await expect(open('damaged').read(key())).rejects.toMatchObject({
    code: 'STATE_CORRUPT',
    message: expect.stringContaining('Restore the table to an earlier time'),
  });
});
