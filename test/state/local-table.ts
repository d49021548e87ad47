import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { tableKeys } from '../../lambdas/state/dynamodb.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from './local-dynamodb.ts';

/** A table for states, empty at first. */
export interface LocalTable extends Pick<LocalDynamoDb, 'dynamodb' | 'endpoint' | 'close'> {
  readonly table: string;
}

export async function openLocalTable(clock: Clock): Promise<LocalTable> {
  const { dynamodb, endpoint, suffix, close } = await openLocalDynamoDb();
  const table = `gene-panel-notifier${suffix}`;
  await dynamodb.send(
    new CreateTableCommand({ TableName: table, BillingMode: 'PAY_PER_REQUEST', ...tableKeys }),
  );
  while (!(await isActive(dynamodb, table))) await clock.sleep(5);
  return { dynamodb, endpoint, table, close };
}

async function isActive(dynamodb: LocalDynamoDb['dynamodb'], TableName: string): Promise<boolean> {
  try {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus === 'ACTIVE';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
