import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { showAsOf } from '../../../lambdas/panels/sqlite-as-of.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { type Instant, instantOf } from '../../../lambdas/run/instant.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import type { History, HistoryQuery } from '../../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { anyEvent, pools } from '../../events/any-event.ts';
import { newFolder } from '../../new-folder.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { correctionOf, turnedGreen } from '../../words/events.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../local-dynamodb.ts';
import { createHistoryTable } from './create-history-table.ts';

let local: LocalDynamoDb;
beforeAll(async () => {
  local = await openLocalDynamoDb();
});
afterAll(() => local.close());

const DAY = 86_400_000;

const queries: readonly HistoryQuery[] = [
  { order: 'newest' },
  { order: 'oldest', catalogue: 'uk', withCorrected: true },
  { order: 'newest', filter: { panels: pools.panelNames.slice(0, 3) } },
  { order: 'newest', filter: { genes: ['BRCA1', 'C9orf72'] } },
];

async function all<Each>(found: AsyncIterable<Each>): Promise<Each[]> {
  const list: Each[] = [];
  for await (const one of found) list.push(one);
  return list;
}
/** What a history answers: events and what was read. */
async function answersOf(history: History): Promise<unknown> {
  const found = [];
  for (const query of queries) found.push(await all(history.findRecords(query)));
  const events = await all(history.find({ order: 'newest' }));
  return { found, uncorrected: events.map(({ id }) => id), coverage: await history.coverage() };
}
/** And the names of panels. */
const withNames = async (history: History): Promise<readonly unknown[]> => [
  await answersOf(history),
  (await history.names()).panels(),
];

test('a history in DynamoDB answers as of a time as it did then, and as one in SQLite does', async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 8, 1, 9) });
  const { dynamodb } = local;
  const table = await createHistoryTable(dynamodb, `as-of${local.suffix}`);
  const folder = newFolder();
  const file = openStateFile(folder, clock);
  onTestFinished(() => file.close());
  const inDynamo = (asOf?: Instant): History => createDynamoHistory({ dynamodb, table, clock, asOf });
  const [remote, here] = [inDynamo(), createSqliteHistory(file)];
  const drawn = fc.sample(anyEvent, { seed: 11, numRuns: 8 });
  const first = turnedGreen({ id: 'corrected' });
  const groups: (readonly PanelEvent[])[] = Array.from({ length: 4 }, (_, at) =>
    drawn.slice(at * 2, at * 2 + 2),
  );
  groups.splice(1, 0, [first]);
  groups.splice(5, 0, [
    correctionOf(first, { from: 'red', to: 'green', direction: 'upgraded' }, 'correction'),
  ]);
  const then: { readonly at: Instant; readonly answers: readonly unknown[] }[] = [];
  for (const [number, events] of groups.entries()) {
    for (const catalogue of pools.catalogues) {
      const own = events.filter(({ data }) => data.catalogue === catalogue).map((event) => toMessage(event));
      // Periods follow each other, leave gaps, and fill them later.
      const since = instantOf(Date.UTC(2024, 0, 1) + ((number * 7) % 12) * DAY);
      for (const history of [remote, here])
        await history.append(own, { catalogue, since, until: since + 86_400_000_000n });
    }
    const at = instantOf(clock.now());
    then.push({ at, answers: await withNames(inDynamo()) });
    clock.pass(DAY);
  }
  const last = then.at(-1)?.answers;
  expect(
    then
      .slice(0, -1)
      .every(({ answers }) => JSON.stringify(answers, textOf) !== JSON.stringify(last, textOf)),
  ).toBe(true);
  for (const { at, answers } of then) {
    expect(await withNames(inDynamo(at + 1n)), String(at)).toStrictEqual(answers);
    const past = openStateFile(folder, clock);
    showAsOf(past, at + 1n);
    expect([await answersOf(createSqliteHistory(past))], String(at)).toStrictEqual(answers.slice(0, 1));
    past.close();
  }
  await expect(inDynamo((then[0]?.at ?? 0n) - 1n).coverage()).rejects.toThrow(
    /nothing is kept there of that time/,
  );
});

const textOf = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

test('what has expired since is not said to be read as of then', async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 8, 1, 9) });
  const { dynamodb } = local;
  const table = await createHistoryTable(dynamodb, `expired${local.suffix}`);
  const history = createDynamoHistory({ dynamodb, table, clock, retentionDays: 30 });
  const at = instantOf(clock.now());
  const event = turnedGreen();
  await history.append([toMessage(event)], { catalogue: 'uk', since: at - 1_000_000n, until: at });
  clock.pass(20 * DAY);
  await history.append([], { catalogue: 'uk', since: at, until: at + 1_000_000n });
  const asOf = instantOf(clock.now());
  const past = createDynamoHistory({ dynamodb, table, clock, asOf });
  expect([
    (await past.coverage()).map(({ since }) => since),
    await all(past.find({ order: 'newest' })),
  ]).toStrictEqual([[at - 1_000_000n], [event]]);
  clock.pass(15 * DAY);
  expect([
    (await past.coverage()).map(({ since }) => since),
    await all(past.find({ order: 'newest' })),
  ]).toStrictEqual([[at], []]);
});

test('who only reads a table knows that events may have expired, also after the settings keep them for longer', async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 8, 1, 9) });
  const { dynamodb } = local;
  const table = await createHistoryTable(dynamodb, `kept${local.suffix}`);
  const begun = instantOf(clock.now());
  const coveredUntil = async (retentionDays?: number): Promise<Instant> => {
    const until = instantOf(clock.now());
    const writer = { dynamodb, table, clock, ...(retentionDays !== undefined && { retentionDays }) };
    await createDynamoHistory(writer).append([], { catalogue: 'uk', since: begun, until });
    return until;
  };
  const since = async (): Promise<readonly Instant[]> =>
    (await createDynamoHistory({ dynamodb, table, clock }).coverage()).map((period) => period.since);
  clock.pass(DAY);
  await coveredUntil(30);
  expect(await since()).toStrictEqual([begun]);
  clock.pass(40 * DAY);
  const forgotten = (await coveredUntil(365)) - daysOf(30);
  expect(await since()).toStrictEqual([forgotten]);
  clock.pass(5 * DAY);
  await coveredUntil();
  clock.pass(500 * DAY);
  expect(await since()).toStrictEqual([forgotten]);
});

const daysOf = (days: number): Instant => instantOf(days * DAY);
