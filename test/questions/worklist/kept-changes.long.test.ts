import { expect, onTestFinished, test } from 'vitest';
import { createSqlitePanelStates } from '../../../lambdas/panels/sqlite-panel-states.ts';
import { decide } from '../../../lambdas/questions/worklist/decide.ts';
import { createKeptChanges, createSqliteWorklist } from '../../../lambdas/questions/worklist/kept-changes.ts';
import { namedPlaceOf } from '../../../lambdas/store/history/sqlite.ts';
import { forgetOldEvents } from '../../../lambdas/store/history/sqlite-retention.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { breast, turnedGreen } from '../../words/events.ts';
import { everything, NOW, panels, placesOf, testKeptChanges } from './kept-behaviour.ts';

const clock = createTestClock({ now: Date.parse(NOW) });

/** A folder in memory. */
function openPlaces() {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const worklist = createSqliteWorklist(file, clock);
  const kept = createKeptChanges(file);
  const places = placesOf({ ...namedPlaceOf(file), worklist, statesOf: () => states });
  return { ...places, file, kept };
}

testKeptChanges('in a file', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], async () => {
  const { kept, ...places } = openPlaces();
  return { ...places, keep: kept.keep, clock: createTestClock({ now: Date.parse(NOW) }) };
});

test('of a panel without new events the kept changes are read, and no events', async () => {
  const { file, append, keeping, read, kept } = openPlaces();
  await append([turnedGreen({ panel: { ...breast, id: 1 } })]);
  await kept.keep();
  file.database.exec("UPDATE recorded_event SET kind = 'entity.commented'");
  await append([turnedGreen({ panel: { ...breast, id: 2 } })]);
  const { entries } = await read(keeping);
  expect(entries.map(({ panel }) => panel.id).toSorted()).toEqual([1, 2]);
});

test('of a page of the list, only its own changes are read', async () => {
  const { file, append, keeping, read, readPage, kept } = openPlaces();
  await append(panels.map((panel) => turnedGreen({ panel })));
  await kept.keep();
  const second = (await read(keeping)).entries[1];
  if (!second) throw new Error('Expected entries');
  file.database.exec(`UPDATE worklist_change SET value = '' WHERE id <> '${second.id}'`);
  const page = await readPage(keeping, { ...everything, page: 2, size: 1 });
  expect(page).toMatchObject({ entries: [second], all: 3, asked: 3 });
  expect((await read(keeping, { ids: new Set([second.id]) })).entries).toEqual([second]);
  await expect(read(keeping)).rejects.toThrow();
});

test('entries are counted once, until another process keeps more of them', async () => {
  const { file, append, keeping, readPage } = openPlaces();
  const another = createKeptChanges(file);
  const countedEntries = async () => (await readPage(keeping, { ...everything, page: 1, size: 1 })).all;
  await append(panels.slice(0, 1).map((panel) => turnedGreen({ panel })));
  await another.keep();
  expect(await countedEntries()).toBe(1);
  await append(panels.slice(1).map((panel) => turnedGreen({ panel })));
  expect(await countedEntries()).toBe(3);
  await another.keep();
  expect(await countedEntries()).toBe(3);
  file.database.exec('DELETE FROM worklist_change');
  expect(await countedEntries()).toBe(3);
});

test.each([{ panels: [2] }, { panels: ['Panel 2'] }, { genes: ['BBB'] }])(
  'of a list about %j, only the changes of its panels are read',
  async (filter) => {
    const { file, append, keeping, read, kept } = openPlaces();
    await append(panels.map((panel) => turnedGreen({ panel, gene: panel.id === 2 ? 'BBB' : 'AAA' })));
    await kept.keep();
    file.database.exec("UPDATE worklist_change SET value = '' WHERE panel <> 2");
    expect((await read(keeping, { filter })).entries).toMatchObject([{ panel: { id: 2 } }]);
  },
);

test.each([{ filter: { rCodes: ['R2'] } }, {}])(
  'of a page by panel, only its own changes are read (%j)',
  async (asked) => {
    const { file, append, keeping, readPage, kept } = openPlaces();
    const coded = panels.map((panel) => ({ ...panel, relevantDisorders: [`R${panel.id}`] }));
    await append(coded.map((panel) => turnedGreen({ panel })));
    await kept.keep();
    file.database.exec("UPDATE worklist_change SET value = '' WHERE panel <> 2");
    const page = asked.filter ? 1 : 2;
    const found = await readPage(keeping, { ...everything, order: 'panel', page, size: 1 }, asked);
    expect(found).toMatchObject({ entries: [{ panel: { id: 2 } }], asked: asked.filter ? 1 : 3 });
  },
);

test('of a change that stays as it is, no row is written again', async () => {
  const { file, append, kept } = openPlaces();
  await append([turnedGreen({ panel: { ...breast, id: 1 }, gene: 'AAA' })]);
  await kept.keep();
  const numbers = () => file.database.prepare('SELECT rowid, id FROM worklist_change ORDER BY rowid').all();
  const before = numbers();
  await append([turnedGreen({ panel: { ...breast, id: 1 }, gene: 'BBB' })]);
  await kept.keep();
  expect(numbers()).toHaveLength(2);
  expect(numbers()).toEqual(expect.arrayContaining(before));
});

test('decisions are those of the kept changes', async () => {
  const { append, keeping, read, kept } = openPlaces();
  await append([turnedGreen()]);
  await kept.keep();
  const [entry] = (await read(keeping)).entries;
  if (!entry) throw new Error('Expected an entry');
  const deciding = { state: 'done', by: 'Ann', why: 'as discussed', revision: 0 } as const;
  await decide(entry, deciding, { store: keeping.worklist, clock });
  expect((await read(keeping)).entries).toMatchObject([{ state: 'done', isDerived: true }]);
});

test('once events were forgotten, all changes are derived, and kept anew', async () => {
  const { file, append, keeping, deriving, read, kept } = openPlaces();
  const day = 24 * 60 * 60 * 1000;
  await append([turnedGreen({ panel: { ...breast, id: 1 } })]);
  forgetOldEvents(file, { days: 2, now: clock.now() });
  await append([turnedGreen({ panel: { ...breast, id: 2 } })]);
  await kept.keep();
  expect(forgetOldEvents(file, { days: 2, now: clock.now() + 5 * day })).toBe(1);
  expect(await kept.read(() => true)).toBeNull();
  expect((await read(keeping)).entries).toHaveLength(1);
  await kept.keep();
  expect(await kept.read(() => true)).toBe(true);
  expect(await read(keeping)).toEqual(await read(deriving));
});
