import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { laggingReplica } from '../store/lagging-replica.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../store/local-dynamodb.ts';
import { describePanelStates } from './behaviour.ts';
import { at } from './made-up-states.ts';

let local: LocalDynamoDb;
let replica: DynamoDBClient;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  replica = laggingReplica(local.dynamodb).dynamodb;
  table = await createHistoryTable(replica, `lagging-history${local.suffix}`);
});
afterAll(() => local.close());

const clock = createTestClock({ now: Number(at('2026-06-01T00:00:00') / 1000n) });

describePanelStates('in DynamoDB, from which no weak read is taken', (catalogue, retentionDays) =>
  createDynamoPanelStates({
    dynamodb: replica,
    table,
    catalogue,
    clock,
    ...(retentionDays !== undefined && { retentionDays }),
  }),
);
