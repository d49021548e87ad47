import { expect, test } from 'vitest';
import { minutes } from '../../lambdas/clock/instant.ts';
import { silentLog } from '../../lambdas/log/log.ts';
import { type LogPage, logPage } from '../../lambdas/poll/log-page.ts';
import { rowsSince } from '../../lambdas/poll/read-back.ts';
import { createSimulatedLog, noon } from './simulated-log.ts';

test('every row of a tie is read, or the mark waits at it, where a page was read before rows were added above it', async () => {
  /** Logs of which no page showed some row of the tie. */
  let missed = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const log = createSimulatedLog({ seed, pageSize: 10 });
    const readPage = async (number: number): Promise<LogPage | null> => {
      const page = await log.activities(number);
      return page && logPage(page);
    };
    // From the oldest row: 20 rows a minute apart, 10 of one instant, and 30 a minute apart.
    const tied = noon + minutes(20);
    for (let index = 0; index < 60; index++) {
      const at = index < 20 ? noon + minutes(index) : index < 30 ? tied : noon + minutes(index);
      log.write(`row ${index}`, { at });
    }
    // Page 5 is read before 15 rows are added, and page 6 afterwards.
    const known = await readPage(5);
    for (let index = 60; index < 75; index++) log.write(`row ${index}`, { at: noon + minutes(index) });
    const first = await readPage(1);
    if (!known || !first) throw new Error('the log has no such page');
    const found = new Set<string>();
    let limit: bigint | null = null;
    const batches = rowsSince({
      readPage,
      first,
      floor: noon,
      expected: null,
      bottom: {
        number: 8,
        pages: new Map([
          [1, first],
          [5, known],
        ]),
      },
      seen: new Map(),
      gap: null,
      log: silentLog,
    });
    for await (const { rows, watermarkLimit } of batches) {
      for (const { key } of rows) found.add(key);
      limit = watermarkLimit ?? limit;
    }
    if (found.size < log.rows.length) {
      missed += 1;
      expect(limit, `seed ${seed}`).toBe(tied);
    }
  }
  expect(missed).toBeGreaterThan(0);
});
