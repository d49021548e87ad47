import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { assign, comment, decide } from '../../../lambdas/questions/worklist/decide.ts';
import {
  createWorklistStore,
  WORKLIST,
  type WorklistStore,
} from '../../../lambdas/questions/worklist/worklist-record.ts';
import { createSqliteItems } from '../../../lambdas/store/items-sqlite.ts';
import {
  FILE_NAME,
  openStateFile,
  openUnwritableStateFile,
  type StateFile,
} from '../../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../../new-folder.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { turnedGreen } from '../../words/events.ts';
import { describeWorklist, testRacedDecisions } from './behaviour.ts';
import { entryOf } from './entries.ts';

const clock = createTestClock({ now: Date.parse('2026-11-22T09:00:00Z') });
const storeIn = (file: StateFile): WorklistStore =>
  createWorklistStore(createSqliteItems(file, { what: WORKLIST, now: clock.now }));

const file = openStateFile();
afterAll(() => file.close());
describeWorklist('in SQLite', () => storeIn(file));
testRacedDecisions(() => storeIn(file), 100);

const done = { state: 'done', by: 'Ann Example', why: 'discussed', revision: 0 } as const;

describe('the decisions of a worklist in a file', () => {
  test('are seen by another process at once, and neither changed nor removed by a statement', async () => {
    const folder = newFolder();
    const [one, other] = [openStateFile(folder), openStateFile(folder)];
    const entry = entryOf([turnedGreen()]);
    await decide(entry, done, {
      store: storeIn(one),
      clock,
    });
    await comment(entry, { by: 'Ann Example', text: 'x' }, { store: storeIn(one), clock });
    const mine = { to: 'Ann Example', by: 'Ann Example', seen: 0 };
    await assign(entry, mine, {
      store: storeIn(one),
      clock,
    });
    const second = { ...done, by: 'Bo Example' };
    expect(
      await decide(entry, second, {
        store: storeIn(other),
        clock,
      }),
    ).toMatchObject({
      kind: 'conflict',
    });
    one.close();
    other.close();
    const database = new DatabaseSync(join(folder, FILE_NAME));
    const kinds = database
      .prepare('SELECT partition FROM item')
      .all()
      .map(({ partition }) => partition);
    expect(kinds).toStrictEqual(['worklist#assignments', 'worklist#comments', 'worklist#decisions']);
    for (const kind of kinds)
      for (const statement of ['DELETE FROM item', "UPDATE item SET value = '{}'"])
        expect(() => database.exec(`${statement} WHERE partition = '${kind}'`)).toThrow(
          'never changed or removed',
        );
    database.close();
  });

  test('are read where nothing can be written', async () => {
    const folder = newFolder();
    const opened = openStateFile(folder);
    await decide(entryOf([turnedGreen()]), done, { store: storeIn(opened), clock });
    opened.database.exec('PRAGMA journal_mode = DELETE');
    opened.close();
    const unwritable = openUnwritableStateFile(folder);
    expect(await storeIn(unwritable).record()).toMatchObject({
      decisions: [{ by: 'Ann Example' }],
      comments: [],
    });
    unwritable.close();
  });

  test('that are damaged are an error that says what to do', async () => {
    const folder = newFolder();
    const opened = openStateFile(folder);
    const store = storeIn(opened);
    await store.record();
    opened.database.exec("INSERT INTO item VALUES ('worklist#decisions', 'x#000001', 1, NULL, '{}')");
    await expect(store.record()).rejects.toMatchObject({
      code: 'STATE_CORRUPT',
      message: expect.stringContaining('Restore a copy'),
    });
    opened.close();
  });
});
