import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { historyTable } from '../../../lambdas/store/history/dynamodb-items.ts';
import { createTable } from '../create-table.ts';

/** Creates an empty table of events beside a table of states; gives its name. */
export const createHistoryTable = (dynamodb: DynamoDBClient, name = 'history'): Promise<string> =>
  createTable(dynamodb, name, historyTable);
