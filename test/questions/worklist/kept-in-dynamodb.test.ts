import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorklistStore, WORKLIST } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { createDynamoItems } from '../../../lambdas/store/items-dynamodb.ts';
import { createTable } from '../../store/create-table.ts';
import { laggingReplica } from '../../store/lagging-replica.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
import { describeWorklist } from './behaviour.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createTable(local.dynamodb, `worklist${local.suffix}`, tableKeys);
});
afterAll(() => local.close());

describeWorklist('in DynamoDB', () =>
  createWorklistStore(createDynamoItems({ dynamodb: local.dynamodb, table, what: WORKLIST, clock })),
);

describe('a table whose replica shows nothing', () => {
  let replica: DynamoDBClient;
  let laggingTable: string;
  beforeAll(async () => {
    replica = laggingReplica(local.dynamodb).dynamodb;
    laggingTable = await createTable(replica, `lagging-worklist${local.suffix}`, tableKeys);
  });
  describeWorklist('in DynamoDB, from which no weak read is taken', () =>
    createWorklistStore(createDynamoItems({ dynamodb: replica, table: laggingTable, what: WORKLIST, clock })),
  );
});

describe('the decisions of a worklist in DynamoDB', () => {
  test('say what failed when the table does not answer', async () => {
    const store = createWorklistStore(
      createDynamoItems({ dynamodb: local.dynamodb, table: 'missing', what: WORKLIST, clock }),
    );
    await expect(store.record()).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('Reading the worklist in table "missing"'),
    });
  });
});
