import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { tableKeys } from '../../lambdas/state/dynamodb.ts';
import { examineTable, noteTable } from './examine.ts';
import { lock } from './lock.ts';
import { LocalStateError } from './state-error.ts';

/** DynamoDB's protocol served by this process, for runs without AWS. */
export interface LocalTable {
  readonly dynamodb: DynamoDBClient;
  readonly endpoint: string;
  readonly table: string;
  close(): Promise<void>;
}

const TABLE = 'gene-panel-notifier';

/** The table in a directory, created where it is missing; in memory without a directory. */
export async function openLocalTable(clock: Clock, directory?: string): Promise<LocalTable> {
  const unlock = directory === undefined ? undefined : await claim(directory);
  const server = dynalite({ ...(directory && { path: join(directory, 'table') }), createTableMs: 0 });
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
  await createTable(dynamodb, clock);
  if (directory !== undefined) await noteTable(directory);
  return {
    dynamodb,
    endpoint,
    table: TABLE,
    close: async () => {
      dynamodb.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await unlock?.();
    },
  };
}

async function claim(directory: string): Promise<() => Promise<void>> {
  try {
    await mkdir(join(directory, 'table'), { recursive: true });
    const unlock = await lock(directory);
    try {
      await examineTable(directory, TABLE);
    } catch (error) {
      await unlock();
      throw error;
    }
    return unlock;
  } catch (cause) {
    if (cause instanceof LocalStateError) throw cause;
    throw new LocalStateError(
      `Opening the state directory ${directory}: ${cause instanceof Error ? cause.message : String(cause)}. Choose another one with --state.`,
      { cause },
    );
  }
}

async function createTable(dynamodb: DynamoDBClient, clock: Clock): Promise<void> {
  try {
    await dynamodb.send(
      new CreateTableCommand({ TableName: TABLE, BillingMode: 'PAY_PER_REQUEST', ...tableKeys }),
    );
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  for (;;) {
    try {
      const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: TABLE }));
      if (Table?.TableStatus === 'ACTIVE') return;
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
    await clock.sleep(5);
  }
}
