import { describe, expect, test } from 'vitest';
import { minutes } from '../../lambdas/clock/instant.ts';
import { createBench, textsOf } from './run.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

type Bench = ReturnType<typeof createBench>;

/** How many pages a poll asks for. */
async function requestsOf({ world, poll }: Bench, given: Parameters<Bench['poll']>[0] = {}): Promise<number> {
  world.asked.length = 0;
  await poll(given);
  return world.asked.length;
}

describe('a poll of a log at rest asks for one page', () => {
  test.each([0, 100, 1000, 10_000])('with %i rows inside the overlap', { tags: 'slow' }, async (rows) => {
    const bench = createBench({ pageSize: 100 });
    const { world } = bench;
    for (let index = 0; index < 300; index++)
      world.write(comment(`old ${index}`), { at: noon - minutes(60) });
    for (let index = 0; index < rows; index++) {
      world.write(comment(`${index}`), { at: noon - BigInt(index) * 60_000n });
    }
    await bench.poll({ from: noon - minutes(30) });
    expect(bench.newEvents()).toHaveLength(rows);
    world.clock.pass(60_000);
    expect([await requestsOf(bench), await requestsOf(bench)]).toStrictEqual([1, 1]);
  });

  test.each([8, 12, 150])('with %i rows of one instant across the end of page 1', async (tied) => {
    const bench = createBench({ pageSize: 100 });
    const { world } = bench;
    world.write(comment('old'), { at: noon - minutes(120) });
    await bench.poll();
    for (let index = 0; index < tied; index++) world.write(comment(`tied ${index}`), { at: noon });
    for (let index = 0; index < 96; index++)
      world.write(comment(`${index}`), { at: noon + BigInt(index + 1) });
    world.clock.pass(60_000);
    for (let polls = 0; polls < 12; polls++) await bench.poll();
    expect(bench.newEvents()).toHaveLength(tied + 96);
    expect(bench.table.position).toMatchObject({ mark: noon + 96n, gap: null });
    expect(await requestsOf(bench)).toBe(1);
  });
});

test('the mark passes a tie of many pages once every row of it is known', async () => {
  const bench = createBench({ pageSize: 20, seed: 3 });
  const { world, table } = bench;
  world.write(comment('old'), { at: noon - minutes(120) });
  await bench.poll();
  for (let index = 0; index < 500; index++) world.write(comment(`tied ${index}`), { at: noon });
  world.clock.pass(60_000);
  world.write(comment('after'));
  let polls = 0;
  for (; table.position?.mark !== world.now && polls < 20; polls++) {
    expect(await requestsOf(bench)).toBeLessThan(90);
  }
  expect(polls).toBeLessThan(10);
  expect(textsOf(bench.newEvents())).toHaveLength(501);
  expect(await requestsOf(bench)).toBe(1);
});

test('two equal rows of a tie do not hold the mark for ever', async () => {
  const bench = createBench({ pageSize: 10, seed: 2 });
  const { world, table } = bench;
  world.write(comment('old'), { at: noon - minutes(120) });
  await bench.poll();
  for (let index = 0; index < 30; index++) world.write(comment(`tied ${index}`), { at: noon });
  world.write(comment('tied 3'), { at: noon });
  world.clock.pass(60_000);
  for (let polls = 0; polls < 40; polls++) {
    world.clock.pass(1000);
    world.write(comment(`new ${polls}`));
    await bench.poll();
  }
  expect(textsOf(bench.newEvents())).toHaveLength(30 + 40);
  expect(table.position).toMatchObject({ mark: world.now, gap: null });
});

test('a backlog is found where the count puts it, without a request past the end', async () => {
  const bench = createBench({ pageSize: 10 });
  const { world } = bench;
  const outside: number[] = [];
  const { activities } = world;
  world.activities = async (number) => {
    const page = await activities(number);
    if (!page) outside.push(number);
    return page;
  };
  for (let index = 0; index < 7; index++) world.write(comment(`old ${index}`), { at: noon - minutes(index) });
  await bench.poll();
  for (let index = 0; index < 500; index++) {
    world.clock.pass(60_000);
    world.write(comment(`new ${index}`));
  }
  expect(await requestsOf(bench)).toBe(51);
  expect(await requestsOf(createBenchLike(bench), { from: noon + minutes(100) })).toBeLessThan(60);
  expect(outside).toStrictEqual([]);
});

/** Another poller of the same log. */
function createBenchLike({ world }: Bench): Bench {
  const other = createBench();
  return { ...other, world, poll: (given) => other.poll({ catalogue: world, clock: world.clock, ...given }) };
}

describe('a server that ignores the page number', () => {
  test.each([false, true])('is noticed after a few requests (the log moves: %s)', async (moves) => {
    const bench = createBench({ pageSize: 10 });
    const { world, table } = bench;
    for (let index = 0; index < 60; index++)
      world.write(comment(`old ${index}`), { at: noon - minutes(index) });
    await bench.poll();
    const before = table.position;
    for (let index = 0; index < 25; index++) {
      world.clock.pass(1000);
      world.write(comment(`new ${index}`));
    }
    world.ignoresPage = true;
    world.between = () => {
      if (!moves) return;
      world.clock.pass(1000);
      world.write(comment(`moved ${world.rows.length}`));
    };
    world.asked.length = 0;
    await expect(bench.poll()).rejects.toMatchObject({
      code: 'LOG_UNREADABLE',
      message: expect.stringContaining('ignore the page number'),
    });
    expect(world.asked.length).toBeLessThan(5);
    expect(table.position).toStrictEqual(before);
    world.ignoresPage = false;
    world.between = () => {};
    await bench.poll();
    expect(textsOf(bench.newEvents())).toHaveLength(world.rows.length - 60);
  });
});

test('a poll asks for no more pages than the log allows, keeps what it published, and says so', async () => {
  const bench = createBench({ pageSize: 10 });
  const { world, table } = bench;
  world.write(comment('old'));
  await bench.poll();
  for (let index = 0; index < 2000; index++) {
    world.clock.pass(1000);
    world.write(comment(`new ${index}`));
  }
  const { activities } = world;
  // A count that is far too small.
  world.activities = async (number) => {
    const page = await activities(number);
    return page && { ...page, count: 30 };
  };
  world.asked.length = 0;
  await expect(bench.poll()).rejects.toMatchObject({ code: 'REQUEST_BUDGET_SPENT' });
  expect(world.asked.length).toBeLessThan(60);
  const reached = bench.newEvents().length;
  expect(reached).toBeGreaterThan(100);
  expect(table.position?.mark).toBeGreaterThan(noon);
  world.activities = activities;
  await bench.poll();
  expect(reached + bench.newEvents().length).toBe(2000);
});
