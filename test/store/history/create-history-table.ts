import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { historyIndexes } from '../../../lambdas/store/table-keys.ts';
import { createTable } from '../create-table.ts';

/** The table that `createDynamoHistory` expects. */
export const historyTable = {
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' as const },
    { AttributeName: 'sk', KeyType: 'RANGE' as const },
  ],
  AttributeDefinitions: ['pk', 'sk', ...Object.keys(historyIndexes)].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  })),
  GlobalSecondaryIndexes: Object.entries(historyIndexes).map(([key, IndexName]) => ({
    IndexName,
    KeySchema: [
      { AttributeName: key, KeyType: 'HASH' as const },
      { AttributeName: 'sk', KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'ALL' as const },
  })),
};

/** Creates an empty table of events beside a table of states; gives its name. */
export const createHistoryTable = (dynamodb: DynamoDBClient, name = 'history'): Promise<string> =>
  createTable(dynamodb, name, historyTable);
