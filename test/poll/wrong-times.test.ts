import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import type { SimulatedRow } from './simulated-log.ts';

const HOUR = 3_600_000;

/** A log whose oldest row was bookmarked a minute ago. */
async function begun() {
  const harness = createHarness();
  harness.catalogue.write('Deleted their comment');
  await harness.poll();
  harness.catalogue.clock.pass(60_000);
  return harness;
}

describe('a catalogue that changes how exactly it writes times', () => {
  const rewrite = (rows: readonly SimulatedRow[], shorter: (created: string) => string): void => {
    for (const { row } of rows) Object.assign(row, { created: shorter(row.created) });
  };
  const forms: Readonly<Record<string, (created: string) => string>> = {
    milliseconds: (created) => created.replace(/\d{3}Z$/, 'Z'),
    seconds: (created) => created.replace(/\.\d+Z$/, 'Z'),
  };

  test.each(Object.entries(forms))(
    'to %s repeats no row of the overlap, and back again',
    async (_what, shorter) => {
      const { catalogue, poll, newEvents } = await begun();
      for (let n = 0; n < 5; n += 1) {
        catalogue.clock.pass(7_321);
        catalogue.write(`Comment ${n}`, { at: catalogue.now + (123_456n % 1000n) });
      }
      catalogue.clock.pass(60_000);
      await poll();
      const first = newEvents();
      expect(first.length).toBeGreaterThan(4);
      const exact = catalogue.rows.map(({ row }) => row.created);
      rewrite(catalogue.rows, shorter);
      for (let n = 0; n < 3; n += 1) {
        catalogue.write('Deleted their comment', {
          created: shorter(new Date(catalogue.clock.now()).toISOString().replace('Z', '000Z')),
        });
        catalogue.clock.pass(60_000);
        await poll();
      }
      expect(newEvents()).toHaveLength(3);
      for (const [index, created] of exact.entries())
        Object.assign(catalogue.rows[index]?.row ?? {}, { created });
      catalogue.clock.pass(60_000);
      await poll();
      expect(newEvents()).toHaveLength(0);
    },
  );

  test('publishes two rows that differ in lost digits only, where the log shows both', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const second = catalogue.now - (catalogue.now % 1_000_000n);
    catalogue.write('Deleted their comment', { at: second + 400_000n });
    catalogue.clock.pass(60_000);
    await poll();
    expect(newEvents()).toHaveLength(1);
    catalogue.write('Deleted their comment', { at: second });
    await poll();
    expect(newEvents()).toHaveLength(1);
  });

  test('publishes a row that differs in more than lost digits', async () => {
    const { catalogue, poll, newEvents } = await begun();
    catalogue.write('Deleted their comment', { at: catalogue.now + 123n });
    catalogue.clock.pass(60_000);
    await poll();
    newEvents();
    const last = catalogue.rows.at(-1);
    rewrite(last ? [last] : [], (created) => created.replace(/\d{3}Z$/, 'Z'));
    Object.assign(last?.row ?? {}, { user_name: 'Jo Example' });
    await poll();
    expect(newEvents()).toHaveLength(1);
  });
});

describe('a catalogue whose Date header lags behind', () => {
  test.each([6 * HOUR, 30_000])('by %i ms holds back no row longer than the settle time', async (lag) => {
    const { catalogue, poll, newEvents, table } = await begun();
    catalogue.lag = lag;
    for (let n = 0; n < 10; n += 1) {
      catalogue.write(`Comment ${n}`);
      catalogue.write('Deleted their comment', { entity_name: `GENE${n}` });
      catalogue.clock.pass(10_000);
      await poll();
      expect(textsOf(newEvents())).toContain('Deleted their comment');
      catalogue.clock.pass(50_000);
    }
    expect(table.position?.mark).toBe(catalogue.rows.at(-1)?.at);
  });

  test('does not let the mark follow a row that is dated after every clock', async () => {
    const { catalogue, poll, table } = await begun();
    catalogue.lag = HOUR;
    catalogue.write('Deleted their comment', { at: parseInstant('2026-02-05T12:00:00Z') ?? 0n });
    for (let polls = 0; polls < 6; polls += 1) {
      catalogue.clock.pass(60_000);
      await poll();
    }
    expect(table.position?.mark).toBeLessThanOrEqual(catalogue.now);
  });
});

test('a log that stays older than the mark is warned of once, until it changes', async () => {
  const { catalogue, poll } = await begun();
  const history = createSqliteHistory(openStateFile());
  const warnings: unknown[] = [];
  const log = {
    info: () => {},
    warn: (_text: string, { anomaly }: Record<string, unknown> = {}) => void warnings.push(anomaly),
    error: () => {},
  };
  catalogue.write('Deleted their comment');
  catalogue.clock.pass(60_000);
  await poll({ log, history });
  const newest = catalogue.rows.pop();
  for (let polls = 0; polls < 5; polls += 1) {
    catalogue.clock.pass(60_000);
    expect((await poll({ log, history })).anomalies).toContain('log-behind-mark');
  }
  const behind = warnings.filter((anomaly) => anomaly === 'log-behind-mark');
  expect(behind).toHaveLength(1);
  if (newest) catalogue.rows.push(newest);
  await poll({ log, history });
  catalogue.rows.pop();
  await poll({ log, history });
  expect(warnings.filter((anomaly) => anomaly === 'log-behind-mark')).toHaveLength(2);
});
