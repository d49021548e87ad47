import { afterAll, beforeAll, describe } from 'vitest';
import { type LocalDynamoDb, openLocalDynamoDb } from '../local-dynamodb.ts';
import { historyBehaviour, sharedHistoryBehaviour } from './behaviour.ts';
import { openLagging } from './lagging-history.ts';

describe('a history in DynamoDB whose replica lags', () => {
  let local: LocalDynamoDb;
  let tables = 0;
  beforeAll(async () => {
    local = await openLocalDynamoDb();
  });
  afterAll(() => local.close());
  const open = () => openLagging(local.dynamodb, `lagging-${tables++}${local.suffix}`);
  historyBehaviour(async () => (await open())(), { runs: 3 });
  sharedHistoryBehaviour(open);
});
