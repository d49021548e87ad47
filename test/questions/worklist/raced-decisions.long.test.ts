import { afterAll, beforeAll } from 'vitest';
import { createWorklistStore, WORKLIST } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { createDynamoItems } from '../../../lambdas/store/items-dynamodb.ts';
import { createTable } from '../../store/create-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
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
