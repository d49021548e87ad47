import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { breast, turnedGreen } from '../../words/events.ts';
import { NOW, panels, placesOf, testKeptChanges } from './kept-behaviour.ts';

let local: LocalDynamoDb;
let number = 0;
beforeAll(async () => {
  local = await openLocalDynamoDb();
});
afterAll(() => local.close());

/** The tables of a stage. */
async function openPlaces() {
  const { dynamodb } = local;
  const clock = createTestClock({ now: Date.parse(NOW) });
  const suffix = `${++number}${local.suffix}`;
  const table = await createHistoryTable(dynamodb, `kept-history-${suffix}`);
  const history = createDynamoHistory({ dynamodb, table, clock });
  const items = createDynamoItems({
    ...{ dynamodb, clock, what: WORKLIST },
    table: await createTable(dynamodb, `kept-worklist-${suffix}`, tableKeys),
  });
  const worklist = createTableWorklist({ items, history, clock });
  const states = createDynamoPanelStates({ dynamodb, table, catalogue: 'uk', clock });
  const place = { history, isLocal: false, listings: async () => [], worklist, statesOf: () => states };
  const changes = (): Promise<number | null> | undefined => worklist.changes?.((kept) => kept.count({}));
  return { ...placesOf(place), clock, items, keep: worklist.keep, changes };
}

testKeptChanges('in a table', [1, 2, 3], openPlaces);

const HOUR = 60 * 60_000;

test('of a panel without new events the items are read, and no events', async () => {
  const { append, keep, clock, items, keeping, read } = await openPlaces();
  await append(panels.slice(0, 2).map((panel) => turnedGreen({ panel })));
  clock.pass(HOUR);
  await keep();
  // What is kept of panel 1 counts, although its event says something else.
  const [part] = await items.list('worklist-changes', '1#');
  const value = JSON.parse(JSON.stringify(part?.value).replaceAll('BRCA1', 'KEPT'));
  await items.put({ partition: 'worklist-changes', id: part?.id ?? '', value });
  await append([turnedGreen({ panel: panels[1] ?? breast, gene: 'NEW' })]);
  const { entries } = await read(keeping);
  expect(entries.map(({ panel, entity }) => `${panel.id} ${entity?.name}`).toSorted()).toEqual([
    '1 KEPT',
    '2 BRCA1',
    '2 NEW',
  ]);
});

test('the changes of a panel are read in parts; of one whose parts differ, the events are read', async () => {
  const { append, keep, clock, items, changes } = await openPlaces();
  const genes = Array.from({ length: 501 }, (_, index) => `GENE${index}`);
  await append(genes.map((gene) => turnedGreen({ gene, panel: { ...breast, id: 1 } })));
  clock.pass(HOUR);
  await keep();
  expect(await changes()).toBe(501);
  const parts = await items.list('worklist-changes', '1#');
  expect(parts).toHaveLength(2);
  const [, second] = parts;
  await items.put({
    partition: 'worklist-changes',
    id: '1#0001',
    value: { ...Object(second?.value), mark: 'other' },
  });
  expect(await changes()).toBe(501);
  await items.remove('worklist-changes', '1#0001');
  expect(await changes()).toBe(501);
});

test('once the history begins at another time, all changes are derived, and kept anew', async () => {
  const { append, keep, clock, items, changes } = await openPlaces();
  await append([turnedGreen()]);
  clock.pass(HOUR);
  expect(await changes()).toBeNull();
  await keep();
  expect(await changes()).toBe(1);
  const span = await items.get('worklist-changes', 'span');
  await items.put({
    partition: 'worklist-changes',
    id: 'span',
    value: { ...Object(span?.value), begin: '1' },
  });
  expect(await changes()).toBeNull();
  await keep();
  expect(await changes()).toBe(1);
});
