import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../lambdas/clock/clock.ts';
import { dynamodbOutbox } from '../../lambdas/notify/dynamodb-outbox.ts';
import { memoryOutbox, type OutboxStore } from '../../lambdas/notify/outbox-store.ts';
import { sqliteOutbox } from '../../lambdas/notify/sqlite-outbox.ts';
import { openStateFile, type StateFile } from '../../lambdas/state/sqlite-file.ts';
import { createTable } from '../dynamodb/create-table.ts';
import { laggingReplica } from '../state/lagging-replica.ts';
import { type LocalTable, openLocalTable } from '../state/local-table.ts';
import { tableKeys } from '../state/table-keys.ts';
import { describeOutboxStore } from './behaviour.ts';

describe('the outbox in memory', () => {
  const store = memoryOutbox(() => systemClock.now());
  describeOutboxStore(() => store);
});

describe('the outbox in DynamoDB', () => {
  let local: LocalTable;
  beforeAll(async () => {
    local = await openLocalTable();
  });
  afterAll(() => local.close());
  const now = () => systemClock.now();
  describeOutboxStore(() => dynamodbOutbox({ dynamodb: local.dynamodb, table: local.table, now }));

  describe('whose replica shows nothing', () => {
    let store: OutboxStore;
    beforeAll(async () => {
      const { dynamodb } = laggingReplica(local.dynamodb);
      const table = await createTable(dynamodb, `lagging${local.table}`, tableKeys);
      store = dynamodbOutbox({ dynamodb, table, now });
    });
    describeOutboxStore(() => store);
  });
});

describe('the outbox in SQLite', () => {
  let directory: string;
  let file: StateFile;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'outbox-'));
    file = openStateFile(directory);
  });
  afterAll(() => {
    file.close();
    return rm(directory, { recursive: true });
  });
  describeOutboxStore(() => sqliteOutbox({ file, now: () => systemClock.now() }));

  test('is read by the next process, and removes what has expired from the file', async () => {
    let now = 0;
    await sqliteOutbox({ file, now: () => now }).create({ partition: 'kept', id: 'a', value: { place: 1 } });
    await sqliteOutbox({ file, now: () => now }).create({
      partition: 'kept',
      id: 'b',
      expires: 60,
      value: null,
    });
    const other = openStateFile(directory);
    now = 61_000;
    try {
      const next = sqliteOutbox({ file: other, now: () => now });
      await next.create({ partition: 'kept', id: 'c', value: null });
      expect((await next.list('kept', '')).map(({ id }) => id)).toStrictEqual(['a', 'c']);
      expect(other.database.prepare("SELECT id FROM outbox WHERE id = 'b'").all()).toStrictEqual([]);
    } finally {
      other.close();
    }
  });
});
