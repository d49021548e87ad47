import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import { createDynamoHistory } from '../../lambdas/history/dynamodb.ts';
import { historyTable } from '../../lambdas/history/dynamodb-items.ts';
import { historyBehaviour } from './behaviour.ts';

describe('a history in DynamoDB', () => {
  let server: Server;
  let dynamodb: DynamoDBClient;
  let tables = 0;
  beforeAll(async () => {
    server = dynalite({ createTableMs: 0 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    dynamodb = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  });
  afterAll(async () => {
    dynamodb.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  historyBehaviour(
    async () => {
      const table = `history-${tables++}`;
      await dynamodb.send(
        new CreateTableCommand({ TableName: table, BillingMode: 'PAY_PER_REQUEST', ...historyTable }),
      );
      return createDynamoHistory({ dynamodb, table, clock });
    },
    { runs: 40 },
  );
});
