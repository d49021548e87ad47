import { afterAll, beforeAll } from 'vitest';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import { createDynamoItems } from '../../lambdas/state/items-dynamodb.ts';
import { createWorklistStore, WORKLIST } from '../../lambdas/worklist/worklist-store.ts';
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

testRacedDecisions(
  () => createWorklistStore(createDynamoItems({ dynamodb: local.dynamodb, table, what: WORKLIST, clock })),
  100,
);
