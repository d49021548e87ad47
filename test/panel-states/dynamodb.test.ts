import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoPanelStates } from '../../lambdas/panel-states/dynamodb-panel-states.ts';
import { createTestClock } from '../clock/test-clock.ts';
import { createHistoryTable } from '../history/create-history-table.ts';
import { laggingReplica } from '../state/lagging-replica.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../state/local-dynamodb.ts';
import { describePanelStates } from './behaviour.ts';
import { at, madeUpState } from './made-up-states.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createHistoryTable(local.dynamodb, `history${local.suffix}`);
});
afterAll(() => local.close());

const clock = createTestClock({ now: Number(at('2026-06-01T00:00:00') / 1000n) });
const open = (catalogue: string, retentionDays?: number) =>
  createDynamoPanelStates({
    dynamodb: local.dynamodb,
    table,
    catalogue,
    clock,
    ...(retentionDays !== undefined && { retentionDays }),
  });

describePanelStates('in DynamoDB', open);

describe('panel states in DynamoDB whose replica shows nothing', () => {
  let replica: DynamoDBClient;
  let laggingTable: string;
  beforeAll(async () => {
    replica = laggingReplica(local.dynamodb).dynamodb;
    laggingTable = await createHistoryTable(replica, `lagging-history${local.suffix}`);
  });
  describePanelStates('in DynamoDB, from which no weak read is taken', (catalogue, retentionDays) =>
    createDynamoPanelStates({
      dynamodb: replica,
      table: laggingTable,
      catalogue,
      clock,
      ...(retentionDays !== undefined && { retentionDays }),
    }),
  );
});

describe('panel states in DynamoDB', () => {
  test('say what failed when the table does not answer', async () => {
    const { dynamodb } = local;
    const states = createDynamoPanelStates({ dynamodb, table: 'missing', catalogue: 'uk', clock });
    await expect(states.save(madeUpState())).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('panel states in table "missing"'),
    });
  });
});
