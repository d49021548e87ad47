import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocuments } from '../../lambdas/state/documents-dynamodb.ts';
import { createMemoryDocuments } from '../sweep/sweep-harness.ts';
import { describeDocuments, longText, type OpenDocuments } from './documents.ts';
import { type LocalTable, openLocalTable } from './local-table.ts';

let local: LocalTable;
beforeAll(async () => {
  local = await openLocalTable();
});
afterAll(() => local.close());

const open: OpenDocuments = (catalogue, runId = 'run') =>
  createDocuments({ dynamodb: local.dynamodb, table: local.table, catalogue, runId });

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

  test('with a part missing are an error', async () => {
    await open('torn').save('listing', 0, longText(1_000));
    const mocked = mockClient(DynamoDBClient);
    const head = { version: { N: '1' }, parts: { N: '2' }, writer: { S: 'run/1' } };
    mocked.on(GetItemCommand).callsFake(({ Key }) => ({ Item: Key.sk.S === 'listing' ? head : undefined }));
    const torn = createDocuments({
      dynamodb: new DynamoDBClient({}),
      table: 't',
      catalogue: 'torn',
      runId: 'r',
    });
    await expect(torn.load('listing')).rejects.toMatchObject({ code: 'STATE_CORRUPT' });
    mocked.restore();
  });

  test('say what failed when the table does not answer', async () => {
    const mocked = mockClient(DynamoDBClient);
    mocked.on(PutItemCommand).rejects(new Error('socket hang up'));
    const away = createDocuments({
      dynamodb: new DynamoDBClient({}),
      table: 't',
      catalogue: 'uk',
      runId: 'r',
    });
    await expect(away.save('listing', 0, 'body')).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('socket hang up'),
    });
    mocked.restore();
  });
});
