import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, onTestFinished, test } from 'vitest';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import { eventsOf, row } from '../../classifier/correlation/rows.ts';
import { createTestClock } from '../../run/test-clock.ts';

test('events that the table leaves unread are asked for again, and reading fails where it never gives them', async () => {
  const mock = mockClient(DynamoDBClient);
  onTestFinished(() => mock.restore());
  const history = createDynamoHistory({
    dynamodb: new DynamoDBClient({ region: 'local' }),
    table: 't',
    clock: createTestClock(),
  });
  const records = eventsOf([row(0, 'Deleted their comment')]).map((event) => toMessage(event));

  const left = { UnprocessedKeys: { t: { Keys: [{ pk: { S: 'left' }, sk: { S: 'left' } }] } } };
  mock.on(BatchGetItemCommand).resolvesOnce(left).resolves({});
  expect(await history.bodiesOf(records)).toStrictEqual(new Map());
  const asked = mock
    .commandCalls(BatchGetItemCommand)
    .map(({ args: [{ input }] }) => input.RequestItems?.t?.Keys);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toStrictEqual(left.UnprocessedKeys.t.Keys);

  mock.on(BatchGetItemCommand).resolves(left);
  await expect(history.bodiesOf(records)).rejects.toThrow('left part of the request undone 6 times');
});
