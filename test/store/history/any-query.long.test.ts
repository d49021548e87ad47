import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import type { History } from '../../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { openLocalDynamoDb } from '../local-dynamodb.ts';
import { testAnyQuery } from './behaviour.ts';
import { createHistoryTable } from './create-history-table.ts';

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
    const table = await createHistoryTable(dynamodb, `any-query${suffix}`);
    history = createDynamoHistory({ dynamodb, table, clock });
    close = () => local.close();
  });
  testAnyQuery(() => history, { events: 300, runs: 60 });
  afterAll(() => close());
});
