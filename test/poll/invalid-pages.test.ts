import { describe, expect, test } from 'vitest';
import { createHarness, textsOf } from './poll-harness.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

/** A poller that has read a log of 30 rows, three pages. */
async function begun() {
  const harness = createHarness({ pageSize: 10 });
  for (let index = 0; index < 30; index++) {
    harness.catalogue.write(comment(`old ${index}`));
    harness.catalogue.clock.pass(1000);
  }
  await harness.poll();
  harness.catalogue.clock.pass(60_000);
  return harness;
}

type Harness = Awaited<ReturnType<typeof begun>>;

const kinds: readonly (readonly [string, (harness: Harness, index: number) => void])[] = [
  [
    'with a usable time',
    ({ catalogue }, index) => catalogue.write(comment(`bad ${index}`), { panel_id: 'x' } as object),
  ],
  ['without one', ({ catalogue }, index) => catalogue.writeUnplaced(comment(`bad ${index}`), null)],
];

describe.each(kinds)('invalid rows %s', (_, write) => {
  const writeAll = (harness: Harness, count: number): void => {
    for (let index = 0; index < count; index++) {
      write(harness, index);
      harness.catalogue.clock.pass(1000);
    }
  };

  test.each([10, 25])(
    'that fill pages (%i rows) are published once, and the mark moves on',
    async (count) => {
      const harness = await begun();
      harness.catalogue.write(comment('new'));
      writeAll(harness, count);
      // Rows without a time lie in another order for each request, so that one poll may not see them all.
      for (let polls = 0; polls < 20; polls++) await harness.poll();
      const texts = textsOf(harness.newEvents());
      expect(texts).toHaveLength(count + 1);
      expect(new Set(texts).size).toBe(count + 1);
      harness.catalogue.clock.pass(60_000);
      harness.catalogue.write(comment('newer'));
      await harness.poll();
      expect(textsOf(harness.newEvents())).toStrictEqual([comment('newer')]);
      expect(harness.table.position?.mark).toBe(harness.catalogue.rows.at(-1)?.at);
    },
  );
});

test('more pages of invalid rows than a poll compares stop the mark until the log has an activity', async () => {
  const { catalogue, poll, table, newEvents } = await begun();
  const { mark } = table.position ?? {};
  for (let index = 0; index < 125; index++) {
    catalogue.write(comment(`bad ${index}`), { panel_id: 'x' } as object);
    catalogue.clock.pass(1000);
  }
  await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  expect(table.position?.mark).toBe(mark);
  expect(newEvents()).toStrictEqual([]);
  catalogue.clock.pass(60_000);
  catalogue.write(comment('new'));
  expect(await poll()).toMatchObject({ activities: 126, quarantined: 125 });
});
