import { expect, test } from 'vitest';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { parseInstant } from '../../../lambdas/run/instant.ts';
import { createSqliteRows } from '../../../lambdas/store/history/kept-rows.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { turnedGreen } from '../../words/events.ts';

const END = parseInstant('2099-01-01T00:00:00Z') ?? 0n;

test('rows are those of the events that the history has, also once it forgot some', async () => {
  const file = openStateFile();
  const event = turnedGreen();
  const history = createSqliteHistory(file);
  const rows = createSqliteRows(file, event.data.catalogue);
  const texts = () => rows.read(rows.list({ until: END })).map((row) => JSON.parse(row).text);
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

test('the log of a day ends with what was known when the log was first read past it', async () => {
  const file = openStateFile();
  const event = turnedGreen();
  const { catalogue } = event.data;
  const history = createSqliteHistory(file);
  const rows = createSqliteRows(file, catalogue);
  const [row] = event.data.activities;
  const at = (time: string) => parseInstant(`2026-11-2${time}Z`) ?? 0n;
  const append = (text: string, created: string, [since, until]: readonly [string, string]) => {
    const data = { ...event.data, activities: [{ ...row, text, created }] } as typeof event.data;
    return history.append([toMessage({ ...event, id: text, data })], {
      ...{ catalogue, since: at(since), until: at(until) },
    });
  };
  const end = at('0T23:59:59.999999');
  const day = (): readonly string[] =>
    rows.read(rows.list({ until: end, upTo: rows.lastKnownAt(end) })).map((one) => JSON.parse(one).text);
  await append('in time', '2026-11-20T10:00:00.000000Z', ['0T09:00:00', '0T11:00:00']);
  expect([rows.lastKnownAt(end), day()]).toEqual([null, ['in time']]);
  // What was found in lists alone says nothing of the log.
  await history.append([], { catalogue, since: at('1T00:01:00'), until: at('1T00:01:00') });
  expect(rows.lastKnownAt(end)).toBeNull();
  await append('the night', '2026-11-20T23:00:00.000000Z', ['0T11:00:00', '1T00:05:00']);
  expect(day()).toEqual(['the night', 'in time']);
  await append('late', '2026-11-20T12:00:00.000000Z', ['0T09:00:00', '1T09:00:00']);
  expect(day()).toEqual(['the night', 'in time']);
  expect(rows.list({ until: end })).toHaveLength(3);
  file.close();
});
