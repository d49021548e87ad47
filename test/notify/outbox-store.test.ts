import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock } from '../../lambdas/clock/clock.ts';
import { dynamodbOutbox } from '../../lambdas/notify/dynamodb-outbox.ts';
import { memoryOutbox } from '../../lambdas/notify/outbox-store.ts';
import { type LocalTable, openLocalTable } from '../state/local-table.ts';
import { describeOutboxStore } from './behaviour.ts';

describe('the outbox in memory', () => {
  const store = memoryOutbox(() => systemClock.now());
  describeOutboxStore(() => store);
});

describe('the outbox in DynamoDB', () => {
  let local: LocalTable;
  beforeAll(async () => {
    local = await openLocalTable(systemClock);
  });
  afterAll(() => local.close());
  describeOutboxStore(() =>
    dynamodbOutbox({ dynamodb: local.dynamodb, table: local.table, now: () => systemClock.now() }),
  );
});
