import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock } from '../../lambdas/run/clock.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { createDynamoItems } from '../../lambdas/store/items-dynamodb.ts';
import { createTable } from './create-table.ts';
import { describeItems } from './items.ts';
import { laggingReplica } from './lagging-replica.ts';
import { type LocalTable, openLocalTable } from './local-table.ts';
import { tableKeys } from './table-keys.ts';

describe('items in DynamoDB whose replica shows nothing', () => {
  let local: LocalTable;
  let store: ItemStore;
  beforeAll(async () => {
    local = await openLocalTable();
    const { dynamodb } = laggingReplica(local.dynamodb);
    const table = await createTable(dynamodb, `lagging${local.table}`, tableKeys);
    store = createDynamoItems({ dynamodb, table, what: 'the items', clock: systemClock });
  });
  afterAll(() => local.close());
  describeItems(() => store);
});
