import { afterAll, beforeAll, describe } from 'vitest';
import { type LocalDynamoDb, openLocalDynamoDb } from '../local-dynamodb.ts';
import { historyBehaviour } from './behaviour.ts';
import { openLagging } from './lagging-history.ts';

describe('a history in DynamoDB whose replica lags', () => {
  let local: LocalDynamoDb;
  let tables = 0;
  beforeAll(async () => {
    local = await openLocalDynamoDb();
  });
  afterAll(() => local.close());
  historyBehaviour(async () => (await openLagging(local.dynamodb, `lagging-${tables++}${local.suffix}`))(), {
    runs: 3,
  });
});
