import { createTable } from './create-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from './local-dynamodb.ts';
import { tableKeys } from './table-keys.ts';

/** A table for states, empty at first. */
export interface LocalTable extends Pick<LocalDynamoDb, 'dynamodb' | 'endpoint' | 'close'> {
  readonly table: string;
}

export async function openLocalTable(): Promise<LocalTable> {
  const { dynamodb, endpoint, suffix, close } = await openLocalDynamoDb();
  const table = await createTable(dynamodb, `gene-panel-notifier${suffix}`, tableKeys);
  return { dynamodb, endpoint, table, close };
}
