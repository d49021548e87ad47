import { stat } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { instantOf } from '../../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { indexEvents, indexNextWords } from '../../../lambdas/store/history/sqlite-event-index.ts';
import { forgetOldEvents } from '../../../lambdas/store/history/sqlite-retention.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { eventsOf, row } from '../../classifier/correlation/rows.ts';
import { newFolder } from '../../new-folder.ts';

const DAY_MS = 86_400_000;
const began = Date.parse('2026-01-01T00:00:00Z');

/** A history in a file, to which each day appends some events of rows that are ten years old. */
async function history() {
  const directory = newFolder();
  const file = openStateFile(directory);
  onTestFinished(() => file.close());
  const kept = createSqliteHistory(file);
  let made = 0;
  return {
    file,
    size: async () => (await stat(file.path)).size,
    async append(day: number, count: number): Promise<void> {
      const records = Array.from({ length: count }, () => {
        made += 1;
        const [event] = eventsOf([row(made, `commented on gene: BRCA1: word${made} ${'long '.repeat(300)}`)]);
        if (!event) throw new Error('a row gave no event');
        return toMessage(event);
      });
      const at = instantOf(began + day * DAY_MS);
      await kept.append(records, { catalogue: 'uk', since: at - instantOf(DAY_MS), until: at });
      while (indexNextWords(file) > 0);
      if (day % 2 === 0) indexEvents(file);
      forgetOldEvents(file, { days: 30, now: began + day * DAY_MS });
    },
    coverage: () => kept.coverage(),
    async found(query: Parameters<typeof kept.find>[0] = {}): Promise<number> {
      let count = 0;
      for await (const _event of kept.find(query)) count += 1;
      return count;
    },
  };
}

test('events are forgotten so many days after they were kept, also where they state an old time', async () => {
  const { append, found, coverage, file } = await history();
  for (let day = 0; day < 60; day += 1) await append(day, 2);
  expect(await found()).toBe(2 * 31);
  expect(await found({ filter: { genes: ['BRCA1'] } })).toBe(2 * 31);
  expect([await found({ text: 'word5' }), await found({ text: 'word119' })]).toStrictEqual([0, 1]);
  const [period] = await coverage();
  expect(period?.since).toBe(instantOf(began + 29 * DAY_MS));
  for (const name of ['event_id', 'event_name', 'event_panel', 'event_rows']) {
    const sql = `SELECT count(*) AS left FROM ${name} WHERE seq NOT IN (SELECT seq FROM event)`;
    expect(file.database.prepare(sql).get()?.left).toBe(0);
  }
});

test('the space of forgotten events is given back to the disk, and a quiet history keeps its newest event', async () => {
  const { append, found, size, file } = await history();
  await append(0, 6000);
  file.checkpoint();
  const large = await size();
  for (let day = 1; day < 40; day += 1) await append(day, 0);
  file.checkpoint();
  expect(await found()).toBe(1);
  expect(await size()).toBeLessThan(large / 5);
});
