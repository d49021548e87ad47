import type { AddressInfo } from 'node:net';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { tableKeys } from '../../lambdas/state/dynamodb.ts';

/** DynamoDB's protocol served by this process, in memory. */
export interface LocalTable {
  readonly dynamodb: DynamoDBClient;
  readonly endpoint: string;
  readonly table: string;
  close(): Promise<void>;
}

const TABLE = 'gene-panel-notifier';

export async function openLocalTable(clock: Clock): Promise<LocalTable> {
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const dynamodb = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await dynamodb.send(
    new CreateTableCommand({ TableName: TABLE, BillingMode: 'PAY_PER_REQUEST', ...tableKeys }),
  );
  while (!(await isActive(dynamodb))) await clock.sleep(5);
  return {
    dynamodb,
    endpoint,
    table: TABLE,
    close: async () => {
      dynamodb.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function isActive(dynamodb: DynamoDBClient): Promise<boolean> {
  try {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: TABLE }));
    return Table?.TableStatus === 'ACTIVE';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
