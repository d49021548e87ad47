import { createDocuments, type Documents } from './documents.ts';
import type { StateTableOptions } from './dynamodb-table.ts';
import { createDynamoItems } from './items-dynamodb.ts';

/** The documents of one catalogue in the notifier's table. */
export function createDynamoDocuments({ catalogue, runId, ...table }: StateTableOptions): Documents {
  const what = `the documents of catalogue "${catalogue}"`;
  return createDocuments(createDynamoItems({ ...table, what }), { catalogue, runId });
}
