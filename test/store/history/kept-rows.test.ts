import { expect, test } from 'vitest';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { parseInstant } from '../../../lambdas/run/instant.ts';
import { createSqliteRows, loadRows } from '../../../lambdas/store/history/kept-rows.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { turnedGreen } from '../../words/events.ts';

test('rows that are loaded from a history are those of its file, each once; the end of a day that it does not cover is unknown', async () => {
  const file = openStateFile();
  const event = turnedGreen();
  const { catalogue } = event.data;
  const history = createSqliteHistory(file);
  const [row] = event.data.activities;
  const at = (time: string) => parseInstant(`2026-11-${time}:00Z`) ?? 0n;
  const append = (id: string, rows: readonly object[], until: string): Promise<void> => {
    const data = { ...event.data, activities: rows } as typeof event.data;
    return history.append([toMessage({ ...event, id, data })], {
      ...{ catalogue, since: at('20T09:00'), until: at(until) },
    });
  };
  const rowAt = (text: string, created: string) => ({ ...row, text, created: `2026-11-${created}:00Z` });
  const [one, other] = [rowAt('one', '20T10:00'), rowAt('other', '20T11:00')];
  await append('paired', [one, other], '20T12:00');
  await append('again', [other], '20T12:00');
  await append('next', [rowAt('next', '20T13:00')], '20T23:00');
  const [loaded, kept] = [await loadRows(history, catalogue), createSqliteRows(file, catalogue)];
  for (const until of ['20T09:30', '20T10:30', '21T00:00'])
    expect(loaded.read(loaded.list({ until: at(until) }))).toEqual(
      kept.read(kept.list({ until: at(until) })),
    );
  expect(loaded.list({ until: at('21T00:00') })).toHaveLength(3);
  expect(loaded.list({ until: at('21T00:00'), panelId: -1 })).toEqual([]);
  expect(loaded.lastKnownAt(at('21T00:00'))).toBeNull();
  expect(loaded.lastKnownAt(at('20T22:00'))).not.toBeNull();
  expect((await loadRows(history, 'another')).list({ until: at('21T00:00') })).toEqual([]);
  file.close();
});
