import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, onTestFinished, test } from 'vitest';
import { createTable, number } from '../../lambdas/store/dynamodb-table.ts';
import { createTestClock } from '../run/test-clock.ts';

test('a query goes through all pages, and requests a page only when its first item is needed', async () => {
  const mock = mockClient(DynamoDBClient);
  onTestFinished(() => mock.restore());
  mock
    .on(QueryCommand)
    .resolvesOnce({ Items: [{ n: number(1) }, { n: number(2) }], LastEvaluatedKey: { n: number(2) } })
    .resolvesOnce({ LastEvaluatedKey: { n: number(3) } })
    .resolves({ Items: [{ n: number(4) }] });
  const dynamodb = new DynamoDBClient({ region: 'local' });
  const table = createTable(
    { dynamodb, table: 't', clock: createTestClock() },
    { where: 'the table', unchanged: 'Nothing is lost' },
  );
  const items = table.query({ pk: 'p' });
  const next = async () => {
    const { value } = await items.next();
    return { item: value?.n?.N, requests: mock.commandCalls(QueryCommand).length };
  };
  expect(await next()).toStrictEqual({ item: '1', requests: 1 });
  expect(await next()).toStrictEqual({ item: '2', requests: 1 });
  expect(await next()).toStrictEqual({ item: '4', requests: 3 });
  expect(await next()).toStrictEqual({ item: undefined, requests: 3 });
});
