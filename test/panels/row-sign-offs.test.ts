import { expect, onTestFinished, test } from 'vitest';
import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import { readLogRows } from '../../lambdas/catalogue/log-row.ts';
import { classifyRow } from '../../lambdas/classifier/classify.ts';
import { createRowSignOffs } from '../../lambdas/panels/row-sign-offs.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { createTestClock, noon } from '../run/test-clock.ts';

const MINUTE = 60_000;

/** The row that signs a panel off, so many minutes before noon. */
const row = (panel: number, minutesAgo: number) => ({
  created: new Date(noon - minutesAgo * MINUTE).toISOString(),
  panel_name: `Panel ${panel}`,
  panel_id: panel,
  panel_version: '4.0',
  user_name: 'Eleanor Vance',
  item_type: 'panel',
  text: 'Panel version has been signed off',
  entity_name: null,
  entity_type: null,
});

/** A catalogue that lists panels as signed off today, with such rows in its log; its clock is this one. */
function start(panels: readonly number[], rows: readonly ReturnType<typeof row>[], hasTime = true) {
  const clock = createTestClock();
  const file = openStateFile();
  onTestFinished(() => file.close());
  const asked: string[] = [];
  const serverTime = () => (hasTime ? clock.now() : null);
  const catalogue = {
    signedOff: async () => {
      asked.push('list');
      const items = panels.map((id) => ({
        id,
        name: `Panel ${id}`,
        version: '4.0',
        signed_off: '2026-11-20',
      }));
      return { items, complete: true, serverTime: serverTime() };
    },
    activities: async () => {
      asked.push('newest rows');
      return { page: 1, rows, count: rows.length, hasNext: false, serverTime: serverTime() };
    },
    panelDetail: () => Promise.reject(new Error('no panel is asked for')),
  } satisfies Pick<Catalogue, 'signedOff' | 'activities' | 'panelDetail'>;
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const signOffs = createRowSignOffs({ catalogue, states, store: createSqliteStore(file, 'uk'), clock, log });
  const versionOf = async (one: ReturnType<typeof row>) =>
    [...(await signOffs.of(readLogRows([one]).map(classifyRow))).values()].map(
      (each) => each.signedOffVersion,
    );
  return { clock, asked, versionOf };
}

test('one reading of the list serves the rows of a backlog', async () => {
  const rows = [row(2, 60), row(1, 90)];
  const { asked, versionOf } = start([1, 2], rows);
  for (const one of rows) expect(await versionOf(one)).toEqual(['4.0']);
  expect(asked).toEqual(['list', 'newest rows']);
});

test.each([
  ['a row that may have been written after the list was read', [row(1, 90), row(2, 1)], 0, true],
  ['a row that comes long after the list was read', [row(1, 90), row(2, 60)], 10, true],
  ['a catalogue that does not say what time it is', [row(1, 90), row(2, 60)], 0, false],
])('%s: the list is read again', async (_what, rows, passed, hasTime) => {
  const { asked, versionOf, clock } = start([1, 2], rows, hasTime);
  for (const one of rows) {
    expect(await versionOf(one)).toEqual(['4.0']);
    clock.pass(passed * MINUTE);
  }
  expect(asked).toEqual(['list', 'newest rows', 'list', 'newest rows']);
});
