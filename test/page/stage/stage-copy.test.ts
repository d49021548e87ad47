import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { createKeptChanges } from '../../../lambdas/questions/worklist/kept-changes.ts';
import { formatInstant, instantOf } from '../../../lambdas/run/instant.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import { readPartsOf } from '../../../lambdas/store/history/read-part.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStageCopy } from '../../../page/stage-copy.ts';
import { newFolder } from '../../new-folder.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { createTable } from '../../store/create-table.ts';
import { createHistoryTable } from '../../store/history/create-history-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
import { turnedGreen } from '../../words/events.ts';

let local: LocalDynamoDb;
let number = 0;
beforeAll(async () => {
  local = await openLocalDynamoDb();
});
afterAll(() => local.close());

/** A stage with an event a day, and its copy. */
async function openStage(days: number, mostEvents?: number) {
  const { dynamodb } = local;
  const clock = createTestClock();
  const suffix = `${++number}${local.suffix}`;
  const stateTable = await createTable(dynamodb, `state-${suffix}`, tableKeys);
  const historyTable = await createHistoryTable(dynamodb, `history-${suffix}`);
  const history = createDynamoHistory({ dynamodb, table: historyTable, clock });
  const now = instantOf(clock.now());
  const dayBefore = (day: number) => now - BigInt(day) * 86_400_000_000n;
  const publish = (day: number, id = `day-${String(day).padStart(3, '0')}`) =>
    history.append([toMessage(turnedGreen({ id, time: formatInstant(dayBefore(day)) }))], {
      catalogue: 'uk',
      since: dayBefore(days),
      until: now,
    });
  for (let day = 1; day <= days; day++) await publish(day);
  const copy = openStageCopy({
    name: 'production',
    ...{ stateTable, historyTable, catalogues: ['uk'], dynamodb, clock, explain: String, mostEvents },
  });
  onTestFinished(() => copy.close());
  const shown = async () => {
    const copied = createSqliteHistory(copy.file);
    const ids: string[] = [];
    for await (const { id } of copied.find({ order: 'oldest' })) ids.push(id);
    const [part] = readPartsOf(await copied.coverage(), { now });
    const unread = part?.gaps.map(({ since, until }) =>
      [since, until].map((at) => Number(now - at) / 86_400e6),
    );
    return { ids, unread };
  };
  const readAll = async (): Promise<void> => {
    await copy.readNew();
    while (await copy.readOlder());
  };
  return { clock, copy, publish, readAll, shown };
}

test('a bounded copy holds the newest events, and says from when on it has read, also of all time', async () => {
  const { copy, readAll, shown } = await openStage(5, 3);
  await copy.readNew();
  expect(await shown()).toStrictEqual({ ids: ['day-003', 'day-002', 'day-001'], unread: [[5, 3]] });
  await readAll();
  expect(await shown()).toStrictEqual({ ids: ['day-003', 'day-002', 'day-001'], unread: [[5, 3]] });
  expect(copy.percentFull()).toBe(100);
});

test('a copy with room for everything holds everything, and nothing is unread', async () => {
  const { copy, readAll, shown } = await openStage(5, 50);
  await readAll();
  const { ids, unread } = await shown();
  expect([ids.length, unread, copy.percentFull()]).toStrictEqual([5, [], 10]);
});

test('a full copy takes in what is new; what appears late is read within six hours', async () => {
  const { clock, publish, readAll, shown } = await openStage(6, 6);
  await readAll();
  await publish(0, 'new');
  await publish(5, 'late');
  clock.pass(61_000);
  await readAll();
  const soon = (await shown()).ids;
  clock.pass(6 * 3_600_000);
  await readAll();
  expect([soon.at(-1), soon.includes('late'), (await shown()).ids.includes('late')]).toStrictEqual([
    'new',
    false,
    true,
  ]);
});

test('a whole copy keeps the changes of the worklist, also of what is published later', async () => {
  const { clock, copy, publish, readAll } = await openStage(3);
  const changesKept = () => createKeptChanges(copy.file).read((kept) => kept.count({}));
  await copy.readNew();
  expect(await changesKept()).toBeNull();
  await readAll();
  expect(await changesKept()).toBe(3);
  await publish(0, 'new');
  clock.pass(61_000);
  await readAll();
  copy.file.database.exec("UPDATE recorded_event SET kind = 'entity.commented'");
  expect(await changesKept()).toBe(4);
});

test('panels are read from the stage itself until their states are copied', async () => {
  const { copy } = await openStage(1);
  await copy.readNew();
  const before = copy.place.states('uk');
  while (await copy.readOlder());
  const after = copy.place.states('uk');
  expect(before.newest).not.toBe(after.newest);
  expect([await before.panels(), await after.panels()]).toStrictEqual([[], []]);
});

test('a copy that a killed process left in its folder is removed, so that copies never fill the disk', () => {
  const root = newFolder();
  const folder = join(root, 'copy');
  mkdirSync(folder);
  writeFileSync(join(folder, 'left.sqlite'), 'x');
  const copy = openStageCopy({
    name: 'production',
    stateTable: 'state',
    historyTable: 'history',
    catalogues: ['uk'],
    ...{ dynamodb: local.dynamodb, clock: createTestClock(), explain: String, folder },
  });
  expect([existsSync(folder), existsSync(join(folder, 'left.sqlite'))]).toStrictEqual([true, false]);
  copy.close();
  expect(existsSync(folder)).toBe(false);
});
