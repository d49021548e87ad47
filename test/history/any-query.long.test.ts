import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import { createDynamoHistory } from '../../lambdas/history/dynamodb.ts';
import { historyTable } from '../../lambdas/history/dynamodb-items.ts';
import type { History } from '../../lambdas/history/history.ts';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { openStateFile } from '../../lambdas/state/sqlite-file.ts';
import { openLocalDynamoDb } from '../state/local-dynamodb.ts';
import { testAnyQuery } from './behaviour.ts';

let history: History;
let close: () => unknown;

describe('in SQLite', () => {
  beforeAll(() => {
    const file = openStateFile();
    history = createSqliteHistory(file);
    close = () => file.close();
  });
  testAnyQuery(() => history, { events: 500, runs: 400 });
  afterAll(() => close());
});

describe('in DynamoDB', () => {
  beforeAll(async () => {
    const local = await openLocalDynamoDb();
    const { dynamodb, suffix } = local;
    const table = `any-query${suffix}`;
    await dynamodb.send(
      new CreateTableCommand({ TableName: table, BillingMode: 'PAY_PER_REQUEST', ...historyTable }),
    );
    history = createDynamoHistory({ dynamodb, table, clock });
    close = () => local.close();
  });
  testAnyQuery(() => history, { events: 300, runs: 60 });
  afterAll(() => close());
});
