import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { historyTable } from '../../lambdas/history/dynamodb-items.ts';

/** Creates an empty table of events beside a table of states; gives its name. */
export async function createHistoryTable(dynamodb: DynamoDBClient, TableName = 'history'): Promise<string> {
  await dynamodb.send(new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', ...historyTable }));
  return TableName;
}
