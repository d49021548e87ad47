import { describe, expect, test } from 'vitest';
import { minutes } from '../../lambdas/run/instant.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

type Harness = ReturnType<typeof createHarness>;

/** How many pages a poll asks for. */
async function requestsOf(
  { catalogue, poll }: Harness,
  given: Parameters<Harness['poll']>[0] = {},
): Promise<number> {
  catalogue.asked.length = 0;
  await poll(given);
  return catalogue.asked.length;
}

describe('a poll of a log at rest asks for one page', () => {
  test.each([0, 100, 1000, 10_000])('with %i rows inside the overlap', { tags: 'slow' }, async (rows) => {
    const harness = createHarness({ pageSize: 100 });
    const { catalogue } = harness;
    for (let index = 0; index < 300; index++)
      catalogue.write(comment(`old ${index}`), { at: noon - minutes(60) });
    for (let index = 0; index < rows; index++) {
      catalogue.write(comment(`${index}`), { at: noon - BigInt(index) * 60_000n });
    }
    await harness.poll({ from: noon - minutes(30) });
    expect(harness.newEvents()).toHaveLength(rows);
    catalogue.clock.pass(60_000);
    expect([await requestsOf(harness), await requestsOf(harness)]).toStrictEqual([1, 1]);
  });

  test.each([8, 12, 150])('with %i rows of one instant across the end of page 1', async (tied) => {
    const harness = createHarness({ pageSize: 100 });
    const { catalogue } = harness;
    catalogue.write(comment('old'), { at: noon - minutes(120) });
    await harness.poll();
    for (let index = 0; index < tied; index++) catalogue.write(comment(`tied ${index}`), { at: noon });
    for (let index = 0; index < 96; index++)
      catalogue.write(comment(`${index}`), { at: noon + BigInt(index + 1) });
    catalogue.clock.pass(60_000);
    for (let polls = 0; polls < 12; polls++) await harness.poll();
    expect(harness.newEvents()).toHaveLength(tied + 96);
    expect(harness.table.position).toMatchObject({ mark: noon + 96n, gap: null });
    expect(await requestsOf(harness)).toBe(1);
  });
});

test('the mark passes a tie of many pages once every row of it is known', async () => {
  const harness = createHarness({ pageSize: 20, seed: 3 });
  const { catalogue, table } = harness;
  catalogue.write(comment('old'), { at: noon - minutes(120) });
  await harness.poll();
  for (let index = 0; index < 500; index++) catalogue.write(comment(`tied ${index}`), { at: noon });
  catalogue.clock.pass(60_000);
  catalogue.write(comment('after'));
  let polls = 0;
  for (; table.position?.mark !== catalogue.now && polls < 20; polls++) {
    expect(await requestsOf(harness)).toBeLessThan(90);
  }
  expect(polls).toBeLessThan(10);
  expect(textsOf(harness.newEvents())).toHaveLength(501);
  expect(await requestsOf(harness)).toBe(1);
});

test('two equal rows of a tie do not stop the mark for ever', async () => {
  const harness = createHarness({ pageSize: 10, seed: 2 });
  const { catalogue, table } = harness;
  catalogue.write(comment('old'), { at: noon - minutes(120) });
  await harness.poll();
  for (let index = 0; index < 30; index++) catalogue.write(comment(`tied ${index}`), { at: noon });
  catalogue.write(comment('tied 3'), { at: noon });
  catalogue.clock.pass(60_000);
  for (let polls = 0; polls < 40; polls++) {
    catalogue.clock.pass(1000);
    catalogue.write(comment(`new ${polls}`));
    await harness.poll();
  }
  expect(textsOf(harness.newEvents())).toHaveLength(30 + 40);
  expect(table.position).toMatchObject({ mark: catalogue.now, gap: null });
});

test('a backlog is found where the count puts it, without a request past the end', async () => {
  const harness = createHarness({ pageSize: 10 });
  const { catalogue } = harness;
  const outside: number[] = [];
  const { activities } = catalogue;
  catalogue.activities = async (number) => {
    const page = await activities(number);
    if (!page) outside.push(number);
    return page;
  };
  for (let index = 0; index < 7; index++)
    catalogue.write(comment(`old ${index}`), { at: noon - minutes(index) });
  await harness.poll();
  for (let index = 0; index < 500; index++) {
    catalogue.clock.pass(60_000);
    catalogue.write(comment(`new ${index}`));
  }
  expect(await requestsOf(harness)).toBe(51);
  expect(await requestsOf(createHarnessLike(harness), { from: noon + minutes(100) })).toBeLessThan(60);
  expect(outside).toStrictEqual([]);
});

/** Another poller of the same log. */
function createHarnessLike({ catalogue }: Harness): Harness {
  const other = createHarness();
  return {
    ...other,
    catalogue,
    poll: (given) => other.poll({ catalogue, clock: catalogue.clock, ...given }),
  };
}

describe('a server that ignores the page number', () => {
  test.each([false, true])('is noticed after a few requests (the log moves: %s)', async (moves) => {
    const harness = createHarness({ pageSize: 10 });
    const { catalogue, table } = harness;
    for (let index = 0; index < 60; index++)
      catalogue.write(comment(`old ${index}`), { at: noon - minutes(index) });
    await harness.poll();
    const before = table.position;
    for (let index = 0; index < 25; index++) {
      catalogue.clock.pass(1000);
      catalogue.write(comment(`new ${index}`));
    }
    catalogue.ignoresPage = true;
    catalogue.between = () => {
      if (!moves) return;
      catalogue.clock.pass(1000);
      catalogue.write(comment(`moved ${catalogue.rows.length}`));
    };
    catalogue.asked.length = 0;
    await expect(harness.poll()).rejects.toMatchObject({
      code: 'LOG_UNREADABLE',
      message: expect.stringContaining('ignore the page number'),
    });
    expect(catalogue.asked.length).toBeLessThan(5);
    expect(table.position).toStrictEqual(before);
    catalogue.ignoresPage = false;
    catalogue.between = () => {};
    await harness.poll();
    expect(textsOf(harness.newEvents())).toHaveLength(catalogue.rows.length - 60);
  });
});

test('a poll asks for no more pages than the log allows, keeps what it published, and says so', async () => {
  const harness = createHarness({ pageSize: 10 });
  const { catalogue, table } = harness;
  catalogue.write(comment('old'));
  await harness.poll();
  for (let index = 0; index < 2000; index++) {
    catalogue.clock.pass(1000);
    catalogue.write(comment(`new ${index}`));
  }
  const { activities } = catalogue;
  // A count that is far too small.
  catalogue.activities = async (number) => {
    const page = await activities(number);
    return page && { ...page, count: 30 };
  };
  catalogue.asked.length = 0;
  await expect(harness.poll()).rejects.toMatchObject({ code: 'REQUEST_BUDGET_SPENT' });
  expect(catalogue.asked.length).toBeLessThan(60);
  const reached = harness.newEvents().length;
  expect(reached).toBeGreaterThan(100);
  expect(table.position?.mark).toBeGreaterThan(noon);
  catalogue.activities = activities;
  await harness.poll();
  expect(reached + harness.newEvents().length).toBe(2000);
});
