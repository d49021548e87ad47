import { afterAll, beforeAll } from 'vitest';
import { createDynamoWorklist } from '../../lambdas/worklist/dynamodb-worklist.ts';
import { createTable } from '../dynamodb/create-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../state/local-dynamodb.ts';
import { tableKeys } from '../state/table-keys.ts';
import { testRacedDecisions } from './behaviour.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createTable(local.dynamodb, `raced-worklist${local.suffix}`, tableKeys);
});
afterAll(() => local.close());

testRacedDecisions(() => createDynamoWorklist({ dynamodb: local.dynamodb, table }), 100);
