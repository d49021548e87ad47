import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { systemClock as clock } from '../../lambdas/run/clock.ts';

type Keys = Pick<CreateTableCommandInput, 'KeySchema' | 'AttributeDefinitions' | 'GlobalSecondaryIndexes'>;

/** Creates an empty table and waits until it may be used: a table that is being created answers nothing. Returns its name. */
export async function createTable(dynamodb: DynamoDBClient, TableName: string, keys: Keys): Promise<string> {
  await dynamodb.send(new CreateTableCommand({ ...keys, TableName, BillingMode: 'PAY_PER_REQUEST' }));
  await untilActive(dynamodb, TableName);
  return TableName;
}

/** Waits until a table that is being created may be used. */
export async function untilActive(dynamodb: DynamoDBClient, TableName: string): Promise<void> {
  const describe = new DescribeTableCommand({ TableName });
  while ((await dynamodb.send(describe)).Table?.TableStatus !== 'ACTIVE') await clock.sleep(2);
}
