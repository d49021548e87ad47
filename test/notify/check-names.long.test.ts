import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import type { Sender, Senders } from '../../lambdas/notify/deliver.ts';
import { checkNames, deployedPlace } from '../../lambdas/notify/filter-names.ts';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createStateStore } from '../../lambdas/store/dynamodb.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import { type ItemStore, memoryItems } from '../../lambdas/store/items.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { type LocalTable, openLocalTable } from '../store/local-table.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { everyChannel, planOf, subscriptionOf } from './notify-harness.ts';

const clock = createTestClock();
const catalogue = 'uk';
let local: LocalTable;
let historyTable: string;
let listedAt = 0;
let sent: Outgoing[];
let store: ItemStore;

beforeAll(async () => {
  local = await openLocalTable();
  historyTable = await createHistoryTable(local.dynamodb, `${local.table}-history`);
});
afterAll(() => local.close());
beforeEach(() => {
  [sent, store] = [[], memoryItems(clock.now)];
});

const openPlace = () => {
  const { dynamodb, table } = local;
  return {
    history: createDynamoHistory({ dynamodb, table: historyTable, clock }),
    state: createStateStore({ dynamodb, table, catalogue, runId: 'poll', clock }),
    states: createDynamoPanelStates({ dynamodb, table: historyTable, catalogue, clock }),
  };
};

/** What a run of the deployed function does when it is asked for names, with nothing kept in memory. */
const check = (filter: Filter): Promise<boolean> => {
  const sender: Sender = { pauseMs: 0, send: async (message) => String(sent.push(message)) };
  const senders = Object.fromEntries(everyChannel.map(({ kind }) => [kind, sender])) as Senders;
  const plan = planOf(subscriptionOf({ filter }));
  const { dynamodb, table } = local;
  const { history, states } = openPlace();
  const place = deployedPlace({ dynamodb, table, plan, history, statesOf: () => states, clock });
  return checkNames({ plan, place, senders, clock, store, newId: () => 'id', log: silentLog });
};
const texts = (): readonly string[] => sent.map(({ notice }) => mailText(notice));

/** The catalogue lists these panels now. */
async function list(...panels: readonly (readonly [number, string])[]): Promise<void> {
  const facts = {
    types: [],
    diseaseGroup: '',
    diseaseSubGroup: '',
    relevantDisorders: ['R67'],
    signedOff: false,
  };
  listedAt += 1;
  await openPlace().state.saveListing({
    panels: new Map(panels.map(([id, name]) => [id, { name, facts, versions: [] }])),
    typeSlugs: new Map(),
    readAt: BigInt(listedAt),
    listedAt,
    requests: { readings: [], absent: [], notBefore: null },
  });
}

const DAY = 24 * 3_600_000;

test('a deployed stage says names that were not found in the channel of their subscription, once', async () => {
  const filter = { panels: ['Nonsens', 7], rCodes: ['R999'], genes: ['OTOF', 'NOSUCH1'] };
  await list([7, 'Hearing loss']);
  expect(await check(filter), 'nothing has been read yet').toBe(false);

  const { history, states } = openPlace();
  const panel = { ...breast, id: 7, name: 'Hearing loss' };
  await history.append([toMessage(turnedGreen({ panel }))], { catalogue, since: 0n, until: 1n });
  const [entity] = madeUpState().entities;
  if (!entity) throw new Error('the state has no entity');
  await states.save(
    madeUpState({ panelId: 7, entities: [{ ...entity, name: 'OTOF', hgncId: 'HGNC:8515' }] }),
  );
  expect(await check(filter)).toBe(true);
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain('No panel is called “Nonsens”.');
  expect(texts()[0]).toContain('No panel has the code R999.');
  expect(texts()[0]).toContain('No gene, STR or region is called “NOSUCH1” in what was read.');
  expect(texts()[0]).not.toMatch(/called “OTOF”|id 7/);

  expect(await check(filter), 'looked up a moment ago').toBe(false);
  await clock.sleep(DAY);
  expect(await check(filter)).toBe(true);
  expect(texts()).toHaveLength(1);
});

test('a deployed stage says that a panel stopped existing, and looks at a changed filter at once', async () => {
  const panels = ['Hearing loss'];
  await list([7, 'Hearing loss']);
  expect(await check({ panels })).toBe(true);
  expect(sent).toStrictEqual([]);
  await list([8, 'Deafness']);
  await clock.sleep(DAY);
  await check({ panels });
  expect(texts()[0]).toContain('The panel “Hearing loss” is no longer in the list of panels.');
  await check({ panels: [...panels, 'Nonsens'] });
  expect(texts()[1]).toContain('No panel is called “Nonsens”.');
});

test('a subscription without names is not looked up', async () => {
  expect(await check({ to: ['green'] })).toBe(false);
});
