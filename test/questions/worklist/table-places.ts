import { afterAll, beforeAll } from 'vitest';
import { createDynamoPanelStates } from '../../../lambdas/panels/dynamodb-panel-states.ts';
import { createTableWorklist } from '../../../lambdas/questions/worklist/table-worklist.ts';
import { WORKLIST } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import { createDynamoItems } from '../../../lambdas/store/items-dynamodb.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { createTable } from '../../store/create-table.ts';
import { createHistoryTable } from '../../store/history/create-history-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
import { NOW, placesOf } from './kept-behaviour.ts';

/** Opens a server for the tests of a file; what it returns opens the empty tables of a stage. */
export function openTablePlaces() {
  let local: LocalDynamoDb;
  let number = 0;
  beforeAll(async () => {
    local = await openLocalDynamoDb();
  });
  afterAll(() => local.close());

  return async (retention: { readonly retentionDays?: number } = {}) => {
    const { dynamodb } = local;
    const clock = createTestClock({ now: Date.parse(NOW) });
    const suffix = `${++number}${local.suffix}`;
    const table = await createHistoryTable(dynamodb, `kept-history-${suffix}`);
    const history = createDynamoHistory({ dynamodb, table, clock, ...retention });
    const items = createDynamoItems({
      ...{ dynamodb, clock, what: WORKLIST },
      table: await createTable(dynamodb, `kept-worklist-${suffix}`, tableKeys),
    });
    const worklist = createTableWorklist({ items, history, clock });
    const states = createDynamoPanelStates({ dynamodb, table, catalogue: 'uk', clock });
    const place = { history, isLocal: false, listings: async () => [], worklist, statesOf: () => states };
    const changes = (): Promise<number | null> | undefined => worklist.changes?.((kept) => kept.count({}));
    return { ...placesOf(place), clock, items, keep: worklist.keep, changes };
  };
}
