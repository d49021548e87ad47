import { describe, expect, test } from 'vitest';
import type { PollOptions } from '../../lambdas/poll/poll-options.ts';
import type { Chunk } from '../../lambdas/store/store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createHarness, textsOf } from './poll-harness.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;
const banner = 'Gene: brca1 has been classified as Green List (High Evidence).';
const ratingText = 'Classified gene: BRCA1 as Green List (high evidence)';

async function begun() {
  const harness = createHarness();
  harness.catalogue.write(comment('old'));
  await harness.poll();
  harness.catalogue.clock.pass(60_000);
  return harness;
}

describe('a row whose paired row may still be missing', () => {
  test('waits for the next poll, with the rows after it', async () => {
    const { catalogue, poll, newEvents } = await begun();
    catalogue.write(comment('before'));
    catalogue.clock.pass(1);
    const { at } = catalogue.write(banner);
    catalogue.write(comment('after'), { at: at + 1000n });
    expect(await poll()).toMatchObject({ activities: 1, waiting: 2 });
    expect(textsOf(newEvents())).toStrictEqual([comment('before')]);
    catalogue.write(ratingText, { at: at + 2000n });
    expect(await poll()).toMatchObject({ activities: 3, waiting: 0 });
    expect(newEvents().map(({ data }) => data.activities.length)).toStrictEqual([2, 1]);
  });

  test('waits for no time where it is two seconds old', async () => {
    const { catalogue, poll, newEvents } = await begun();
    catalogue.write(banner);
    catalogue.clock.pass(2000);
    expect(await poll()).toMatchObject({ activities: 1, waiting: 0 });
    expect(newEvents()).toHaveLength(1);
  });

  test('waits for three polls at most, and the log says so', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const lines: unknown[] = [];
    const line: PollOptions['log']['info'] = (message, fields) => {
      if (message.includes('paired row')) lines.push([message, fields]);
    };
    const log: PollOptions['log'] = { info: line, warn: line, error: line };
    catalogue.write(banner);
    for (let index = 0; index < 3; index++) {
      catalogue.clock.pass(500);
      catalogue.write(comment(`after ${index}`));
      expect(await poll({ log })).toMatchObject({ activities: 0, waiting: index + 2 });
    }
    expect(newEvents()).toStrictEqual([]);
    expect(await poll({ log })).toMatchObject({ activities: 4, waiting: 0, outcome: 'published' });
    expect(textsOf(newEvents())).toStrictEqual([banner, ...[0, 1, 2].map((row) => comment(`after ${row}`))]);
    const waits = 'Rows wait for the next poll, because a paired row may be missing';
    expect(lines).toStrictEqual([
      ...[2, 3, 4].map((rows) => [waits, { rows }]),
      [
        'Rows are published although a paired row may be missing: polls waited for it in vain',
        { rows: 4, polls: 3 },
      ],
    ]);
    // Its paired row comes at last, and adds nothing.
    catalogue.write(ratingText, { at: (catalogue.rows[1]?.at ?? 0n) + 3000n });
    await poll();
    expect(newEvents()).toStrictEqual([]);
  });
});

describe('a state that is older than one that was in use', () => {
  test('is reported before anything is published, and once', async () => {
    const { catalogue, poll, table, accepted } = await begun();
    catalogue.write(comment('new'));
    table.rollback = { found: 'It was written to another table.', mark: null };
    const reported: unknown[] = [];
    const log: PollOptions['log'] = {
      info: () => {},
      warn: () => {},
      error: (message, fields) => void reported.push([message, fields?.found, fields?.mark, accepted.length]),
    };
    expect((await poll({ log })).anomalies).toStrictEqual(['state-set-back']);
    expect(reported).toStrictEqual([
      [
        expect.stringContaining('Every row that the log shows after its mark is published again'),
        'It was written to another table.',
        '2026-01-31T12:00:00.000000Z',
        0,
      ],
    ]);
    expect(accepted).toHaveLength(1);
    expect((await poll({ log })).anomalies).toStrictEqual([]);
  });

  test('is reported once also where the log is at rest', async () => {
    const { poll, table } = await begun();
    table.rollback = { found: 'It was copied.', mark: 5n };
    expect((await poll()).anomalies).toStrictEqual(['state-set-back']);
    expect((await poll()).anomalies).toStrictEqual([]);
  });
});

/** A log with 40 new rows, a minute apart, and a store that holds six of them at once. */
async function withSmallStore() {
  const harness = await begun();
  const { catalogue, table } = harness;
  for (let index = 0; index < 40; index++) {
    catalogue.clock.pass(60_000);
    catalogue.write(comment(`${index}`));
  }
  const small = { ...createMemoryStore(table), canRecord: ({ rows }: Chunk) => rows.length <= 6 };
  const all = Array.from({ length: 40 }, (_, index) => comment(`${index}`));
  return { ...harness, store: small, all };
}

test('a chunk that is too large to be recorded is split until it fits', async () => {
  const { catalogue, poll, newEvents, table, store, all } = await withSmallStore();
  const sizes: number[] = [];
  await poll({ store, onPublished: (messages) => void sizes.push(messages.length) });
  expect(sizes).toStrictEqual([5, 5, 5, 5, 5, 5, 5, 5]);
  expect(textsOf(newEvents())).toStrictEqual(all);
  expect(table.position).toMatchObject({ mark: catalogue.now, count: 41 });
});

test('the mark is at the last published row where the time is over between the parts of a chunk', async () => {
  const { catalogue, poll, newEvents, table, store, all } = await withSmallStore();
  const deadline = catalogue.clock.now() + 2000;
  const onPublished = (): void => catalogue.clock.pass(1000);
  expect((await poll({ store, deadline, onPublished })).outcome).toBe('out-of-time');
  expect(textsOf(newEvents())).toStrictEqual(all.slice(0, 10));
  expect(table.position?.mark).toBe(catalogue.rows[10]?.at);
  expect(table.position?.count).toBe(1);
  await poll({ store, deadline: catalogue.clock.now() + 60_000 });
  expect(textsOf(newEvents())).toStrictEqual(all.slice(10));
});
