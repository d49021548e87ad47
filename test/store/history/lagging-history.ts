import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import type { History, HistoryQuery } from '../../../lambdas/store/history/history.ts';
import { laggingReplica } from '../lagging-replica.ts';
import { createHistoryTable } from './create-history-table.ts';

/** A history whose replica shows nothing but what a search waited for: a search may lag, a decision may not. */
export async function openLagging(dynamodb: DynamoDBClient, table: string): Promise<() => History> {
  const replica = laggingReplica(dynamodb);
  await createHistoryTable(replica.dynamodb, table);
  const caughtUp = <Item>(find: (query: HistoryQuery) => AsyncIterable<Item>) =>
    async function* (query: HistoryQuery): AsyncGenerator<Item> {
      await replica.catchUp();
      yield* find(query);
    };
  return () => {
    const history = createDynamoHistory({ dynamodb: replica.dynamodb, table, clock });
    const { find, findWithoutRows, findRecords } = history;
    return {
      ...history,
      find: caughtUp(find),
      findWithoutRows: caughtUp(findWithoutRows),
      findRecords: caughtUp(findRecords),
    };
  };
}
