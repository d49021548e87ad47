import { expect, test } from 'vitest';
import { toMessage } from '../../../lambdas/publishing/to-message.ts';
import { parseInstant } from '../../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { createSqliteRows } from '../../../lambdas/store/history/sqlite-rows.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { turnedGreen } from '../../words/events.ts';

const END = parseInstant('2099-01-01T00:00:00Z') ?? 0n;

test('rows are those of the events that the history has, also once it forgot some', async () => {
  const file = openStateFile();
  const event = turnedGreen();
  const history = createSqliteHistory(file);
  const rows = createSqliteRows(file, event.data.catalogue);
  const texts = () => rows.read(rows.list(END)).map((row) => JSON.parse(row).text);
  const period = { catalogue: event.data.catalogue, since: 0n, until: 1n };
  const [row] = event.data.activities;
  for (const text of ['first', 'second']) {
    const data = { ...event.data, activities: [{ ...row, text }] } as typeof event.data;
    await history.append([toMessage({ ...event, id: text, data })], period);
  }
  expect(texts()).toEqual(['second', 'first']);
  file.database.exec('DELETE FROM event_rows WHERE seq = (SELECT min(seq) FROM event_rows)');
  expect(texts()).toEqual(['second']);
  file.close();
});
