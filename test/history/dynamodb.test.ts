import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import { createDynamoHistory } from '../../lambdas/history/dynamodb.ts';
import { historyTable } from '../../lambdas/history/dynamodb-items.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../state/local-dynamodb.ts';
import { historyBehaviour } from './behaviour.ts';

describe('a history in DynamoDB', () => {
  let local: LocalDynamoDb;
  let tables = 0;
  beforeAll(async () => {
    local = await openLocalDynamoDb();
  });
  afterAll(() => local.close());

  historyBehaviour(
    async () => {
      const table = `history-${tables++}${local.suffix}`;
      const { dynamodb } = local;
      await dynamodb.send(
        new CreateTableCommand({ TableName: table, BillingMode: 'PAY_PER_REQUEST', ...historyTable }),
      );
      return createDynamoHistory({ dynamodb, table, clock });
    },
    { runs: 40 },
  );
});
