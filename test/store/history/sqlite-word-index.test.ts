import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { indexNextWords } from '../../../lambdas/store/history/sqlite-event-index.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { anyEvent } from '../../events/any-event.ts';
import { keep } from './behaviour.ts';

test('words are added to the index ahead and in steps, so that the first search adds none', async () => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const history = createSqliteHistory(file);
  const sample = fc.sample(anyEvent, { seed: 3, numRuns: 1_600 });
  const events = [...new Map(sample.map((event) => [event.id, event])).values()];
  await keep(history, events);
  const kept = (): number =>
    Number(file.database.prepare('SELECT count(*) AS events FROM event').get()?.events);
  const indexed = (): number =>
    Number(file.database.prepare('SELECT count(*) AS events FROM search_docsize').get()?.events);
  expect(kept()).toBeGreaterThan(1_000);
  expect(indexed()).toBe(0);
  const steps = [indexNextWords(file), indexNextWords(file), indexNextWords(file)];
  expect(steps).toStrictEqual([1_000, kept() - 1_000, 0]);
  const { changes } = file.database.prepare('SELECT total_changes() AS changes').get() ?? {};
  for await (const _event of history.find({ text: 'gene', limit: 1 }));
  expect(file.database.prepare('SELECT total_changes() AS changes').get()?.changes).toBe(changes);
});
