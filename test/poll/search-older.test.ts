import { expect, test } from 'vitest';
import { minutes } from '../../lambdas/run/instant.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;
const HOUR = 3_600_000;
const days = (count: number): bigint => minutes(count * 1440);

/** A log of 40 days with a row each half hour, all of it published. */
async function publishedLog(from = noon - days(40)): Promise<ReturnType<typeof createHarness>> {
  const harness = createHarness({ pageSize: 20 });
  for (let index = 0; index < 40 * 48; index++) {
    harness.catalogue.write(comment(`old ${index}`), { at: noon - minutes(30) * BigInt(index) });
  }
  await harness.poll({ from });
  expect(harness.table.position?.older?.count).toBeGreaterThan(0);
  harness.newEvents();
  return harness;
}

test('a row that shows up five days late is found in slices, and published as late', async () => {
  const harness = await publishedLog();
  const { catalogue, table } = harness;
  catalogue.write(comment('five days late'), { at: noon - days(5) + 7n });
  const asked: number[] = [];
  const events = [];
  const reports = [];
  for (let polls = 0; polls < 4; polls++) {
    catalogue.clock.pass(300_000);
    catalogue.asked.length = 0;
    reports.push(await harness.poll());
    asked.push(catalogue.asked.length);
    events.push(...harness.newEvents());
  }
  expect(textsOf(events)).toStrictEqual([comment('five days late')]);
  expect(events[0]?.data.late).toBe(true);
  expect(reports.map(({ difference, found, searching }) => [difference, found, searching])).toStrictEqual([
    [1, 0, true],
    [0, 1, false],
    [0, 0, false],
    [0, 0, false],
  ]);
  // Seven days are 17 pages.
  expect(asked).toStrictEqual([10, 10, 1, 1]);
  expect(table.position).toMatchObject({ search: null, older: { surfaced: 0, vanished: 0 } });
});

test('a search that runs out of time goes on with the next poll', async () => {
  const { catalogue, poll, newEvents, table } = await publishedLog();
  catalogue.write(comment('two days late'), { at: noon - days(2) + 7n });
  await poll({ searchPages: 0 });
  expect(table.position?.search).not.toBeNull();
  const deadline = catalogue.clock.now() + 1000;
  catalogue.asked.length = 0;
  catalogue.between = () => {
    if (catalogue.asked.length === 3) catalogue.clock.pass(1000);
  };
  const report = await poll({ deadline });
  expect(report).toMatchObject({ outcome: 'quiet', searching: true });
  expect(newEvents()).toStrictEqual([]);
  catalogue.between = () => {};
  expect(await poll()).toMatchObject({ outcome: 'published', found: 1, searching: true });
  expect(await poll()).toMatchObject({ outcome: 'quiet', found: 0, searching: false });
  expect(textsOf(newEvents())).toStrictEqual([comment('two days late')]);
});

test('a poll that fails while it searches fails', async () => {
  const { catalogue, poll } = await publishedLog();
  catalogue.write(comment('two days late'), { at: noon - days(2) + 7n });
  await poll({ searchPages: 0 });
  catalogue.asked.length = 0;
  catalogue.between = () => {
    if (catalogue.asked.length === 3) throw new Error('no network');
  };
  await expect(poll()).rejects.toThrow('no network');
});

test('where no sweep explains the rows that showed up, a search goes on to the start after two hours', {
  tags: 'slow',
}, async () => {
  const harness = await publishedLog();
  const { catalogue } = harness;
  catalogue.write(comment('a month late'), { at: noon - days(30) + 7n });
  const polls = async (count: number): Promise<number> => {
    catalogue.asked.length = 0;
    for (let done = 0; done < count; done++) await harness.poll();
    return catalogue.asked.length;
  };
  catalogue.clock.pass(60_000);
  await polls(3);
  expect(harness.newEvents()).toStrictEqual([]);
  expect(harness.table.position).toMatchObject({ older: { surfaced: 1 } });
  expect(await polls(5), 'a search that waits costs no request').toBe(5);
  catalogue.clock.pass(2 * HOUR);
  await polls(8);
  expect(textsOf(harness.newEvents())).toStrictEqual([comment('a month late')]);
  expect(harness.table.position).toMatchObject({ search: null, older: { surfaced: 0 } });
});

test('a panel that came back is searched since it was hidden, and no further', { tags: 'slow' }, async () => {
  const harness = await publishedLog();
  const { catalogue } = harness;
  for (let index = 0; index < 9; index++) {
    catalogue.write(comment(`hidden ${index}`), { at: noon - days(20) + BigInt(index) });
  }
  catalogue.clock.pass(60_000);
  catalogue.asked.length = 0;
  const report = await harness.poll({
    searchPages: 200,
    searchRequest: { since: noon - days(21), newPanels: false, explains: { more: true, fewer: false } },
  });
  expect(report).toMatchObject({ found: 9, searching: false, unexplained: { surfaced: 0 } });
  expect(textsOf(harness.newEvents())).toHaveLength(9);
  // 21 days are 51 pages of the 97.
  expect(catalogue.asked.length).toBeLessThan(70);
});

test('rows from before the start are not published, however they show up', async () => {
  const harness = await publishedLog(noon - days(3));
  const { catalogue } = harness;
  for (const age of [4, 10]) catalogue.write(comment(`of ${age} days ago`), { at: noon - days(age) + 7n });
  catalogue.write(comment('of 2 days ago'), { at: noon - days(2) + 7n });
  for (let polls = 0; polls < 6; polls++) {
    catalogue.clock.pass(HOUR);
    await harness.poll();
  }
  expect(textsOf(harness.newEvents())).toStrictEqual([comment('of 2 days ago')]);
  expect(harness.table.position).toMatchObject({ search: null, older: { surfaced: 0 } });
});

test('rows that vanish are counted, and no event follows from them', { tags: 'slow' }, async () => {
  const harness = await publishedLog();
  const { catalogue, table } = harness;
  catalogue.rows.splice(500, 30);
  for (let polls = 0; polls < 4; polls++) {
    catalogue.clock.pass(60_000);
    await harness.poll();
  }
  expect(harness.newEvents()).toStrictEqual([]);
  expect(table.position).toMatchObject({ search: null, older: { surfaced: 0, vanished: 30 } });
});

test('a search to the oldest row asks for no page past the end of the log', async () => {
  const harness = await publishedLog();
  const { catalogue, poll } = harness;
  const missing: number[] = [];
  const { activities } = catalogue;
  catalogue.activities = async (number) => {
    const page = await activities(number);
    if (!page) missing.push(number);
    return page;
  };
  catalogue.write(comment('39 days late'), { at: noon - days(39) + 7n });
  for (let polls = 0; polls < 20; polls++) {
    catalogue.clock.pass(HOUR);
    await poll({ searchPages: 30 });
  }
  expect(textsOf(harness.newEvents())).toStrictEqual([comment('39 days late')]);
  expect(missing).toStrictEqual([]);
});
