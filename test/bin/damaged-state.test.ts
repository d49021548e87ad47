import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { History, HistoryRecord } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile, openUnwritableStateFile } from '../../lambdas/store/sqlite-file.ts';
import { schema } from '../../lambdas/store/sqlite-schema.ts';
import { sqliteProblem } from '../../lambdas/store/state-error.ts';
import { newFolder } from '../new-folder.ts';
import { type SavedLog, serveSavedLog } from '../poll/saved-log.ts';
import { type Ran, runCommand, words } from './run-command.ts';

let log: SavedLog;
let root: string;
beforeAll(async () => {
  [log, root] = await Promise.all([serveSavedLog(), newFolder()]);
  await poll('whole', '--from', '2023-09-01');
});
afterAll(() => Promise.all([log.close(), rm(root, { recursive: true })]));

const poll = (state: string, ...args: string[]): Promise<Ran> =>
  runCommand(['poll', '--only', 'log', '--catalogue', log.url, '--state', join(root, state), ...args]);

async function copy(): Promise<string> {
  const directory = await mkdtemp(join(root, 'copy-'));
  await cp(join(root, 'whole'), directory, { recursive: true });
  return directory.slice(root.length + 1);
}

const fileOf = (state: string): string => join(root, state, 'notifier.sqlite');

/** Overwrites the file from one part of it to another; the header keeps what says that it is a database. */
const garble = (from: number) => async (file: string) => {
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill('x', Math.floor(bytes.length * from)));
};

describe('a state that is damaged is refused, again and again, and nothing is published', () => {
  test.each<[string, (file: string) => Promise<void>, string]>([
    ['is no database', garble(0), 'its file is not a database [STATE_CORRUPT]'],
    [
      'lost its end',
      async (file) => truncate(file, Math.floor((await stat(file)).size / 8)),
      '[STATE_CORRUPT]',
    ],
    ['is empty, although a poll used it', (file) => truncate(file), '[STATE_LOST]'],
  ])('because its file %s', async (_what, harm, seen) => {
    const state = await copy();
    await harm(fileOf(state));
    for (const _time of [1, 2]) {
      const { code, stdout, stderr } = await poll(state);
      expect([code, stdout]).toStrictEqual([1, '']);
      expect(stderr).toContain('--from');
      expect(stderr).toContain(seen.split(' [')[0]);
      expect(stderr).toContain(seen.slice(seen.indexOf('[')));
    }
  });
});

describe('a state that cannot be written', () => {
  test('because the disk is full keeps what it had, and the same command goes on later', async () => {
    const state = await copy();
    const file = openStateFile(join(root, state));
    const history = createSqliteHistory(file);
    const before = await idsIn(history);
    const [event] = await firstOf(history);
    file.database.exec('PRAGMA max_page_count = 1');
    const records = Array.from({ length: 2_000 }, (_, at) => {
      const id = at.toString(16).padStart(32, '0');
      return { ...event, id, body: event.body.replace(event.id, id) };
    });
    const period = { catalogue: 'uk', since: 0n, until: 1n };
    await expect(history.append(records, period)).rejects.toThrow('the disk is full. Free some space, then');
    expect(await idsIn(history)).toStrictEqual(before);
    file.close();
    expect(await poll(state)).toMatchObject({ code: 0, stdout: '' });
  });

  test('because the user may only read it is still read, with and without a write-ahead log', async () => {
    const state = await copy();
    const directory = join(root, state);
    const writing = openStateFile(directory);
    const whole = await idsIn(createSqliteHistory(writing));
    const beside = openUnwritableStateFile(directory);
    expect(await idsIn(createSqliteHistory(beside))).toStrictEqual(whole);
    beside.close();
    writing.close();
    const alone = openUnwritableStateFile(directory);
    const history = createSqliteHistory(alone);
    expect(await idsIn(history)).toStrictEqual(whole);
    await expect(history.append([], { catalogue: 'uk', since: 0n, until: 1n })).rejects.toThrow(
      'it can be read but not written. Give this user the right',
    );
    alone.close();
  });
});

async function idsIn(history: History): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of history.findWithoutRows({})) ids.push(id);
  return ids;
}

async function firstOf(history: History): Promise<[HistoryRecord]> {
  for await (const record of history.findRecords({ limit: 1 })) return [record];
  throw new Error('The history is empty');
}

test.each([
  [
    'a newer version',
    'PRAGMA user_version = 99',
    /a newer version of the notifier wrote it in format 99.*STATE_NEWER/,
  ],
  [
    'a development version with other tables',
    `PRAGMA application_id = ${crc32(schema.replace('worklist_span', 'worklist_range')) >>> 1}`,
    /a development version .* wrote it; this one reads/,
  ],
])('a state that %s wrote is refused with what to do', async (_who, change, message) => {
  const state = await copy();
  const database = new DatabaseSync(fileOf(state));
  database.exec(change);
  database.close();
  const { code, stderr } = await poll(state);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).toContain('choose another directory with --state');
});

test('an older copy put in place of the state is reported before events are published again', async () => {
  const state = await mkdtemp(join(root, 'set-back-'));
  const name = state.slice(root.length + 1);
  await poll(name);
  const before = await readFile(fileOf(name));
  await rm(state, { recursive: true });
  await poll(name, '--from', '2023-09-01');
  for (const ending of ['-wal', '-shm']) await rm(`${fileOf(name)}${ending}`, { force: true });
  await writeFile(fileOf(name), before);
  const { stderr } = await poll(name);
  expect(stderr).toMatch(
    /error: State and history of .* are not as its last run left them\. .*published again/,
  );
});

test('polls go on from a complete copy of the state, and the first one says that it is a copy', async () => {
  const state = await copy();
  const first = await poll(state);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing new') });
  expect(first.stderr).toContain('is a copy: it was restored from a backup, or moved here');
  expect((await poll(state)).stderr).not.toContain('copy');
});

test('polls of a state that was not copied say nothing of copies', async () => {
  for (const _time of [1, 2]) expect((await poll('whole')).stderr).not.toContain('copy');
});

test('a state whose disk is full while it is opened says that the disk is full', () => {
  // SQLite's code where the memory beside its write-ahead log cannot grow (SQLITE_IOERR_SHMSIZE).
  expect(sqliteProblem({ errcode: 4874 }).seen).toBe('the disk is full');
  expect(sqliteProblem({ errcode: 778 }).seen).toBe('the disk failed to read or write it');
});

test('a folder whose path is too long for SQLite is refused with its length', async () => {
  const long = join(root, ...Array.from({ length: 6 }, () => 'x'.repeat(100)));
  const { code, stderr } = await runCommand(words`poll --only log --catalogue ${log.url} --state ${long}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/its path has \d{3} bytes, and SQLite opens paths of at most 490/);
});

test.skipIf(process.platform === 'win32')(
  'the folder of the state and its files are for their owner alone',
  async () => {
    const state = join(root, 'new', 'folder');
    const sweeping = ['poll', '--only', 'listings', '--catalogue', log.url, '--state', state, '--name', 'uk'];
    await poll(join('new', 'folder'), '--from', '2023-09-01', '--name', 'uk');
    await runCommand(sweeping);
    const open = openStateFile(state);
    const rights = async (path: string) => (await stat(path)).mode & 0o777;
    expect((await rights(state)).toString(8)).toBe('700');
    const files = await readdir(state);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect([file, (await rights(join(state, file))).toString(8)]).toStrictEqual([file, '600']);
    open.close();
  },
);

test('a directory that cannot be created is refused at once', async () => {
  const { code, stderr } = await runCommand(words`poll --only log --catalogue ${log.url} --state /proc/x`);
  expect(code).toBe(1);
  expect(stderr).toContain('the directory cannot be created');
});
