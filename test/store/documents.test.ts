import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createDynamoDocuments } from '../../lambdas/store/items-dynamodb.ts';
import { createMemoryDocuments } from '../reconcile/sweep-harness.ts';
import { describeDocuments, type OpenDocuments } from './documents.ts';
import { type LocalTable, openLocalTable } from './local-table.ts';

let local: LocalTable;
beforeAll(async () => {
  local = await openLocalTable();
});
afterAll(() => local.close());

const open: OpenDocuments = (catalogue, runId = 'run') =>
  createDynamoDocuments({
    dynamodb: local.dynamodb,
    table: local.table,
    catalogue,
    runId,
    clock: systemClock,
  });

describeDocuments('in DynamoDB', open);

const kept = new Map<string, Map<string, { version: number; body: string }>>();
describeDocuments('in memory', (catalogue) => {
  const own = kept.get(catalogue) ?? new Map();
  kept.set(catalogue, own);
  return createMemoryDocuments(own);
});

describe('documents in DynamoDB', () => {
  test('recognise their own write where the reply was lost', async () => {
    const documents = open('lost-reply', 'mine');
    await documents.save('listing', 0, 'first');
    expect(await open('lost-reply', 'mine').save('listing', 0, 'first')).toBe(1);
  });

  test('say what failed when the table does not answer', async () => {
    const mocked = mockClient(DynamoDBClient);
    mocked.on(PutItemCommand).rejects(new Error('socket hang up'));
    const away = createDynamoDocuments({
      dynamodb: new DynamoDBClient({}),
      table: 't',
      catalogue: 'uk',
      runId: 'r',
      clock: systemClock,
    });
    await expect(away.save('listing', 0, 'body')).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('socket hang up'),
    });
    mocked.restore();
  });
});
