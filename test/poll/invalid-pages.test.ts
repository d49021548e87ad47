import { describe, expect, test } from 'vitest';
import { createBench, textsOf } from './run.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

/** A poller that has read a log of 30 rows, three pages. */
async function begun() {
  const bench = createBench({ pageSize: 10 });
  for (let index = 0; index < 30; index++) {
    bench.world.write(comment(`old ${index}`));
    bench.world.clock.pass(1000);
  }
  await bench.poll();
  bench.world.clock.pass(60_000);
  return bench;
}

type Bench = Awaited<ReturnType<typeof begun>>;

const kinds: readonly (readonly [string, (bench: Bench, index: number) => void])[] = [
  [
    'with a usable time',
    ({ world }, index) => world.write(comment(`bad ${index}`), { panel_id: 'x' } as object),
  ],
  ['without one', ({ world }, index) => world.writeUnplaced(comment(`bad ${index}`), null)],
];

describe.each(kinds)('invalid rows %s', (_, write) => {
  const writeAll = (bench: Bench, count: number): void => {
    for (let index = 0; index < count; index++) {
      write(bench, index);
      bench.world.clock.pass(1000);
    }
  };

  test.each([10, 25])(
    'that fill pages (%i rows) are published once, and the mark moves on',
    async (count) => {
      const bench = await begun();
      bench.world.write(comment('new'));
      writeAll(bench, count);
      // Rows without a time lie in another order for each request, so that one poll may not see them all.
      for (let polls = 0; polls < 20; polls++) await bench.poll();
      const texts = textsOf(bench.newEvents());
      expect(texts).toHaveLength(count + 1);
      expect(new Set(texts).size).toBe(count + 1);
      bench.world.clock.pass(60_000);
      bench.world.write(comment('newer'));
      await bench.poll();
      expect(textsOf(bench.newEvents())).toStrictEqual([comment('newer')]);
      expect(bench.table.position?.mark).toBe(bench.world.rows.at(-1)?.at);
    },
  );
});

test('more pages of invalid rows than a poll compares stop the mark until the log has an activity', async () => {
  const { world, poll, table, newEvents } = await begun();
  const { mark } = table.position ?? {};
  for (let index = 0; index < 125; index++) {
    world.write(comment(`bad ${index}`), { panel_id: 'x' } as object);
    world.clock.pass(1000);
  }
  await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  expect(table.position?.mark).toBe(mark);
  expect(newEvents()).toStrictEqual([]);
  world.clock.pass(60_000);
  world.write(comment('new'));
  expect(await poll()).toMatchObject({ activities: 126, quarantined: 125 });
});
