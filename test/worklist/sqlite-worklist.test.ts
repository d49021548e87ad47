import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { FILE_NAME, openStateFile } from '../../lambdas/state/sqlite-file.ts';
import { assign } from '../../lambdas/worklist/assign.ts';
import { comment } from '../../lambdas/worklist/comment.ts';
import { decide } from '../../lambdas/worklist/decide.ts';
import { createSqliteWorklist } from '../../lambdas/worklist/sqlite-worklist.ts';
import { createTestClock } from '../clock/test-clock.ts';
import { turnedGreen } from '../messages/events.ts';
import { describeWorklist, testRacedDecisions } from './behaviour.ts';
import { entryOf } from './entries.ts';

const file = openStateFile();
afterAll(() => file.close());
describeWorklist('in SQLite', () => createSqliteWorklist(file));
testRacedDecisions(() => createSqliteWorklist(file), 100);

const clock = createTestClock({ now: Date.parse('2026-11-22T09:00:00Z') });
const done = { state: 'done', by: 'Ann Example', why: 'discussed', revision: 0 } as const;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'worklist-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('the decisions of a worklist in a file', () => {
  test('are seen by another process at once, and neither changed nor removed by a statement', async () => {
    const folder = newFolder();
    const [one, other] = [openStateFile(folder), openStateFile(folder)];
    const entry = entryOf([turnedGreen()]);
    await decide(entry, done, { store: createSqliteWorklist(one), clock });
    await comment(entry, { by: 'Ann Example', text: 'x' }, { store: createSqliteWorklist(one), clock });
    const mine = { to: 'Ann Example', by: 'Ann Example', seen: 0 };
    await assign(entry, mine, { store: createSqliteWorklist(one), clock });
    const second = { ...done, by: 'Bo Example' };
    expect(await decide(entry, second, { store: createSqliteWorklist(other), clock })).toMatchObject({
      kind: 'conflict',
    });
    one.close();
    other.close();
    const database = new DatabaseSync(join(folder, FILE_NAME));
    expect(() => database.exec('DELETE FROM worklist_decision')).toThrow('never changed or removed');
    expect(() => database.exec('DELETE FROM worklist_comment')).toThrow('never changed or removed');
    expect(() => database.exec('DELETE FROM worklist_assignment')).toThrow('never changed or removed');
    expect(() => database.exec("UPDATE worklist_decision SET value = '{}'")).toThrow(
      'never changed or removed',
    );
    database.close();
  });

  test('of a file from before there were comments are read where nothing can be written', async () => {
    const folder = newFolder();
    const opened = openStateFile(folder);
    const entry = entryOf([turnedGreen()]);
    await decide(entry, done, { store: createSqliteWorklist(opened), clock });
    opened.database.exec('DROP TABLE worklist_comment; PRAGMA journal_mode = DELETE');
    opened.close();
    const database = new DatabaseSync(join(folder, FILE_NAME), { readOnly: true });
    const store = createSqliteWorklist({ ...opened, database });
    expect(await store.record()).toMatchObject({ decisions: [{ by: 'Ann Example' }], comments: [] });
    database.close();
  });

  test('that are damaged are an error that says what to do', async () => {
    const folder = newFolder();
    const opened = openStateFile(folder);
    const store = createSqliteWorklist(opened);
    await store.record();
    opened.database.exec("INSERT INTO worklist_decision VALUES ('x', 1, '{}')");
    await expect(store.record()).rejects.toMatchObject({
      code: 'STATE_CORRUPT',
      message: expect.stringContaining('Restore a copy'),
    });
    opened.close();
  });
});
