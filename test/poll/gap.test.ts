import { expect, test } from 'vitest';
import { minutes } from '../../lambdas/run/instant.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

test('a row that is found where rows may be missing starts the count of polls anew', async () => {
  const { catalogue, poll, newEvents, table } = createHarness({ pageSize: 10 });
  const { activities } = catalogue;
  const never = new Set<unknown>();
  // Where a page drew a row that is never to be seen, it shows one that another page has too.
  catalogue.activities = async (number) => {
    const page = await activities(number);
    const texts = new Set(page?.rows.map((row) => (row as { text: string }).text));
    const instead = catalogue.rows
      .filter(({ at, row }) => at === noon && !texts.has(row.text) && !never.has(row.text))
      .map(({ row }) => row);
    const rows = page?.rows.map((row) => (never.has((row as { text: string }).text) ? instead.pop() : row));
    return page && { ...page, rows: rows ?? [] };
  };
  const polls = async (count: number): Promise<readonly (number | undefined)[]> => {
    const gaps: (number | undefined)[] = [];
    for (let done = 0; done < count; done++) {
      await poll();
      gaps.push(table.position?.gap?.polls);
    }
    return gaps;
  };
  catalogue.write(comment('old'), { at: noon - minutes(120) });
  await poll();
  for (let index = 0; index < 30; index++) catalogue.write(comment(`tied ${index}`), { at: noon });
  for (const index of [28, 29]) never.add(comment(`tied ${index}`));
  catalogue.clock.pass(60_000);
  catalogue.write(comment('after'));
  // The second poll still finds rows that the first one did not see.
  expect(await polls(4)).toStrictEqual([0, 0, 1, 2]);
  expect(textsOf(newEvents())).toHaveLength(28 + 1);
  never.delete(comment('tied 28'));
  expect(await polls(2)).toStrictEqual([0, 1]);
  const found = newEvents();
  expect(textsOf(found)).toStrictEqual([comment('tied 28')]);
  expect(
    found.map(({ data }) => data.late),
    'a later row was published before',
  ).toStrictEqual([true]);
  expect(table.position?.mark, 'the mark does not pass the gap').toBe(noon);
});

test('a tie across a page border that shows the same rows each time costs few requests until newer rows move it', async () => {
  const { catalogue, poll, newEvents, table } = createHarness({ pageSize: 10 });
  const { activities } = catalogue;
  catalogue.stableTies = true;
  catalogue.write(comment('old'), { at: noon - minutes(120) });
  await poll();
  for (let index = 0; index < 30; index++) catalogue.write(comment(`tied ${index}`), { at: noon });
  const lost = comment('tied 12');
  let moved = false;
  // One row is on no page, and another one on two, as a database with equal times may serve them.
  catalogue.activities = async (number) => {
    const page = await activities(number);
    const other = catalogue.rows.find(({ row }) => row.text === comment('tied 25'))?.row;
    const rows = page?.rows.map((row) => (!moved && (row as { text: string }).text === lost ? other : row));
    return page && { ...page, rows: rows ?? [] };
  };
  const requests: number[] = [];
  for (let polls = 0; polls < 8; polls += 1) {
    catalogue.clock.pass(60_000);
    const before = catalogue.asked.length;
    await poll();
    requests.push(catalogue.asked.length - before);
  }
  expect(requests).toStrictEqual([8, 8, 8, 1, 1, 1, 1, 1]);
  expect(table.position?.mark, 'the mark does not pass the tie').toBe(noon);
  expect(textsOf(newEvents())).not.toContain(lost);
  catalogue.write(comment('newer'));
  moved = true;
  await poll();
  expect(textsOf(newEvents())).toContain(lost);
});

test('a row that is stamped in the future makes no row of now late', async () => {
  const { catalogue, poll, newEvents } = createHarness();
  catalogue.write(comment('old'), { at: noon - minutes(120) });
  await poll();
  catalogue.write(comment('of tomorrow'), { at: catalogue.now + minutes(24 * 60) });
  await poll();
  newEvents();
  catalogue.clock.pass(60_000);
  catalogue.write(comment('of now'));
  await poll();
  expect(newEvents().map(({ data }) => [data.activities[0]?.text, data.late])).toStrictEqual([
    [comment('of now'), false],
  ]);
});
