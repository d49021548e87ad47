import {
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, onTestFinished, test } from 'vitest';
import { createDynamoHistory } from '../../lambdas/history/dynamodb.ts';
import { toMessage } from '../../lambdas/publishing/to-message.ts';
import { createTestClock } from '../clock/test-clock.ts';
import { eventsOf, row } from '../correlation/rows.ts';

test('events that the table leaves unprocessed are written again, and appending fails where it never takes them', async () => {
  const mock = mockClient(DynamoDBClient);
  onTestFinished(() => mock.restore());
  mock.on(QueryCommand).resolves({ Items: [] });
  mock.on(PutItemCommand).resolves({});
  const history = createDynamoHistory({
    dynamodb: new DynamoDBClient({ region: 'local' }),
    table: 't',
    clock: createTestClock(),
  });
  const records = eventsOf([row(0, 'Deleted their comment')]).map((event) => toMessage(event));
  const append = (): Promise<void> => history.append(records, { catalogue: 'uk', since: 0n, until: 1n });

  const left = { UnprocessedItems: { t: [{ PutRequest: { Item: { pk: { S: 'left' } } } }] } };
  mock.on(BatchWriteItemCommand).resolvesOnce(left).resolves({});
  await append();
  const written = mock.commandCalls(BatchWriteItemCommand).map(({ args: [{ input }] }) => input.RequestItems);
  expect(written).toHaveLength(2);
  expect(written[1]).toStrictEqual(left.UnprocessedItems);

  mock.on(BatchWriteItemCommand).resolves(left);
  await expect(append()).rejects.toThrow('left part of the request undone 6 times');
});
