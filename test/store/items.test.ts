import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createTable, type Item } from '../../lambdas/store/dynamodb-table.ts';
import { memoryItems, readValue } from '../../lambdas/store/items.ts';
import { createDynamoItems } from '../../lambdas/store/items-dynamodb.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { longText } from './documents.ts';
import { describeItems } from './items.ts';
import { type LocalTable, openLocalTable } from './local-table.ts';

test('an item in a file that is as it was is not read anew', async () => {
  const file = openStateFile();
  const store = createSqliteItems(file, { what: 'the items', now: () => 0 });
  const schema = z.object({ said: z.string() });
  const read = async () =>
    readValue((await store.get('p', 'id')) ?? { id: '', value: null }, { schema, place: store.place });
  await store.put({ partition: 'p', id: 'id', value: { said: 'one' } });
  const first = await read();
  expect(await read()).toBe(first);
  await store.put({ partition: 'p', id: 'id', value: { said: 'other' } });
  expect(await read()).toStrictEqual({ said: 'other' });
  const item = (await store.get('p', 'id')) ?? { id: '', value: null };
  expect(() => readValue(item, { schema: z.object({ other: z.string() }), place: store.place })).toThrow(
    '"id" of the items',
  );
  file.close();
});

test('an item in a file whose value alone is as it was is read anew, however many there are', async () => {
  const file = openStateFile();
  const open = () => createSqliteItems(file, { what: 'the items', now: () => 0 });
  const [store, other] = [open(), open()];
  const item = { partition: 'p', id: 'id', value: { said: 'one' } };
  await other.put(item);
  const first = await store.get('p', 'id');
  if (!first) throw new Error('The item is missing');
  expect(await other.replace(first)).toBe(true);
  expect(await store.get('p', 'id')).toStrictEqual({ ...first, version: 2 });
  await other.put({ ...item, expires: 60 });
  expect(await store.list('p')).toStrictEqual([{ ...first, expires: 60 }]);
  await other.put({ ...item, partition: 'q' });
  expect(await store.get('q', 'id')).toStrictEqual({ ...first, partition: 'q' });
  const many = Array.from({ length: 2_100 }, (_, at) => ({ ...item, partition: 'r', id: String(at + 1000) }));
  await other.put(...many);
  for (const _time of [1, 2])
    expect((await store.list('r')).map(({ id }) => id)).toStrictEqual(many.map(({ id }) => id));
  file.close();
});

describe('items in memory', () => {
  const store = memoryItems(() => systemClock.now());
  describeItems(() => store);
});

describe('items in DynamoDB', () => {
  let local: LocalTable;
  beforeAll(async () => {
    local = await openLocalTable();
  });
  afterAll(() => local.close());
  describeItems(() =>
    createDynamoItems({
      dynamodb: local.dynamodb,
      table: local.table,
      what: 'the items',
      clock: systemClock,
    }),
  );

  /** Opens the table with a client whose calls of one operation do something else. */
  const openWith = (operation: string, instead: (send: () => Promise<unknown>) => Promise<unknown>) => {
    const dynamodb = new Proxy(local.dynamodb, {
      get: (client, name) =>
        name !== 'send'
          ? Reflect.get(client, name)
          : (command: Parameters<DynamoDBClient['send']>[0]) =>
              command.constructor.name === operation
                ? instead(() => client.send(command))
                : client.send(command),
    });
    return createDynamoItems({ dynamodb, table: local.table, what: 'the items', clock: systemClock });
  };
  const rowsOf = (partition: string): Promise<readonly Item[]> =>
    createTable({ ...local, clock: systemClock }, { where: 'the items', unchanged: 'Nothing is lost' }).list({
      pk: partition,
    });

  test('recognise their own large write where the reply was lost, and keep its parts', {
    tags: 'slow',
  }, async () => {
    const twice = openWith('PutItemCommand', async (send) => {
      await send();
      return send();
    });
    const value = longText(900_000);
    expect(await twice.create({ partition: 'lost-reply', id: 'a', value })).toBe(true);
    expect(await twice.get('lost-reply', 'a')).toMatchObject({ version: 1, value });
  });

  test('leave no parts of a value that was replaced, refused or removed', { tags: 'slow' }, async () => {
    const store = openWith('none', (send) => send());
    const [one, other] = [longText(900_000), longText(900_000, 2)];
    await store.create({ partition: 'parts', id: 'a', value: one });
    const whole = (await rowsOf('parts#parts#a')).length;
    expect(whole).toBeGreaterThan(1);
    expect(await store.create({ partition: 'parts', id: 'a', value: other })).toBe(false);
    await store.put({ partition: 'parts', id: 'a', value: other });
    expect(await rowsOf('parts#parts#a')).toHaveLength(whole);
    await store.remove('parts', 'a');
    expect(await rowsOf('parts#parts#a')).toStrictEqual([]);
  });

  test('with a part missing are an error that says how to repair it', { tags: 'slow' }, async () => {
    const store = openWith('none', (send) => send());
    await store.create({ partition: 'torn', id: 'a', value: longText(900_000) });
    const [{ pk, sk } = {}] = await rowsOf('torn#parts#a');
    if (!pk || !sk) throw new Error('The part is missing');
    await local.dynamodb.send(new DeleteItemCommand({ TableName: local.table, Key: { pk, sk } }));
    await expect(store.get('torn', 'a')).rejects.toMatchObject({
      code: 'STATE_CORRUPT',
      message: expect.stringMatching(/"a" of the items in table .* is missing.*Restore the table/),
    });
  });

  test('say what failed when the table does not answer', async () => {
    const away = openWith('GetItemCommand', async () => {
      throw new Error('socket hang up');
    });
    await expect(away.get('a', 'b')).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringMatching(/^Reading the items in table ".*": Error: socket hang up/),
    });
  });
});

describe('items in SQLite', () => {
  let directory: string;
  let file: StateFile;
  beforeAll(async () => {
    directory = newFolder();
    file = openStateFile(directory);
  });
  afterAll(() => file.close());
  describeItems(() => createSqliteItems(file, { what: 'the items', now: () => systemClock.now() }));

  test('is read by the next process, and removes what has expired from the file', async () => {
    let now = 0;
    await createSqliteItems(file, { what: 'the items', now: () => now }).create({
      partition: 'kept',
      id: 'a',
      value: { place: 1 },
    });
    await createSqliteItems(file, { what: 'the items', now: () => now }).create({
      partition: 'kept',
      id: 'b',
      expires: 60,
      value: null,
    });
    const other = openStateFile(directory);
    now = 61_000;
    try {
      const next = createSqliteItems(other, { what: 'the items', now: () => now });
      await next.create({ partition: 'kept', id: 'c', value: null });
      expect((await next.list('kept', '')).map(({ id }) => id)).toStrictEqual(['a', 'c']);
      expect(
        other.database.prepare("SELECT id FROM item WHERE partition = 'kept' AND id = 'b'").all(),
      ).toStrictEqual([]);
    } finally {
      other.close();
    }
  });

  test('that are damaged are an error that names the item', async () => {
    const store = createSqliteItems(file, { what: 'the items', now: () => 0 });
    await store.create({ partition: 'damaged', id: 'a', value: {} });
    file.database.exec("UPDATE item SET value = x'00' WHERE partition = 'damaged'");
    const error = { code: 'STATE_CORRUPT', message: expect.stringContaining('"a" of the items in') };
    await expect(store.get('damaged', 'a')).rejects.toMatchObject(error);
    await expect(store.list('damaged')).rejects.toMatchObject(error);
  });
});
