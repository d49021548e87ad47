import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Filter } from '../../../lambdas/filters/filter.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { createSqlitePages, type HistoryPages } from '../../../lambdas/store/history/sqlite-pages.ts';
import { openStateFile, type StateFile } from '../../../lambdas/store/sqlite-file.ts';
import { breast, eventOf, turnedGreen } from '../../words/events.ts';

const named = (id: string, name: string, panel: number) =>
  turnedGreen({ id, actor: name, panel: { ...breast, id: panel, name } });
const events = [
  named('a1', 'Double  Space Nameson', 12),
  named('a2', '\u212aarlsson', 13),
  named('a3', 'Zoë "Z" Ångström-Müller', 14),
  named('a4', 'Two\nlines \u0001 here', 15),
  turnedGreen({ id: 'b1', panel: { ...breast, relevantDisorders: ['R59.3 Early onset', 'r7 lower case'] } }),
  turnedGreen({ id: 'b2', panel: { ...breast, relevantDisorders: ['R590'], types: ['rare-disease'] } }),
  eventOf('entity.tags-changed', { added: ['Watch\tList'], removed: [] }, { id: 'c1' }),
  eventOf(
    'panel.changed',
    { changes: [{ field: 'name', from: 'An older name', to: breast.name }] },
    { id: 'd1' },
  ),
];

let file: StateFile;
let pages: HistoryPages;
beforeEach(async () => {
  file = openStateFile();
  pages = createSqlitePages(file);
  const records = events.map((event) => toMessage(event));
  await createSqliteHistory(file).append(records, { catalogue: 'uk', since: 0n, until: 1n });
});
afterEach(() => file.close());

describe('names that JSON or a letter case hides from the store are found', () => {
  test.each<readonly [Filter, readonly string[]]>([
    [{ actors: ['double space nameson'] }, ['a1']],
    [{ actors: ['karlsson'] }, ['a2']],
    [{ actors: ['K', 'KARLSSON'] }, ['a2']],
    [{ actors: ['zoë "z" ångström-müller'] }, ['a3']],
    [{ actors: ['two lines here'] }, ['a4']],
    [{ panels: ['Karlsson', 'ZOË "Z" ÅNGSTRÖM-MÜLLER'] }, ['a2', 'a3']],
    [{ panels: ['an older name'] }, ['b1', 'b2', 'c1', 'd1']],
    [{ rCodes: ['R59'] }, ['b1']],
    [{ rCodes: ['R7', 'R590'] }, ['b1', 'b2']],
    [{ panelTypes: ['rare-disease'] }, ['b2']],
    [{ tags: ['watch list'] }, ['c1']],
  ])('%j', (filter, ids) => {
    const found = pages.page({ filter }, { size: 100, examined: 100 }).events.map(({ id }) => id);
    expect(found.sort()).toStrictEqual(ids);
  });
});

test('the numbers of events lead to the events', () => {
  const numbers = pages.numbers({ filter: { actors: ['zoë "z" ångström-müller'] } }, 10);
  expect(pages.numbered(numbers).map(({ id }) => id)).toContain('a3');
  expect(pages.numbers({}, 3)).toHaveLength(3);
  expect(pages.numbered([999])).toStrictEqual([]);
});
