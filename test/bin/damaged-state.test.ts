import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SavedLog, serveSavedLog } from '../poll/saved-log.ts';
import { type Ran, runCommand } from './run-command.ts';

let log: SavedLog;
let root: string;
beforeAll(async () => {
  [log, root] = await Promise.all([serveSavedLog(), mkdtemp(join(tmpdir(), 'damaged-'))]);
  // What was written last lies in a .log file; opening it once more makes an .ldb of that.
  await poll('young', '--from', '2023-09-01');
  await cp(join(root, 'young'), join(root, 'old'), { recursive: true });
  await poll('old');
});
afterAll(() => Promise.all([log.close(), rm(root, { recursive: true })]));

const poll = (state: string, ...args: string[]): Promise<Ran> =>
  runCommand(['poll', '--catalogue', log.url, '--state', join(root, state), ...args]);

/** Does something to each file of a copy of a state whose name ends so. */
async function damage(state: string, ending: string, harm: (file: string) => Promise<void>): Promise<string> {
  const copy = await mkdtemp(join(root, 'copy-'));
  await cp(join(root, state), copy, { recursive: true });
  const names = (await readdir(join(copy, 'table'))).filter((name) =>
    name.replace(/\d+/, '').endsWith(ending),
  );
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) await harm(join(copy, 'table', name));
  return copy.slice(root.length + 1);
}

const empty = (file: string): Promise<void> => truncate(file);
const garble = async (file: string): Promise<void> => writeFile(file, 'x'.repeat((await stat(file)).size));

describe('a state whose files are damaged is refused, again and again', () => {
  test.each([
    ['CURRENT is empty', 'young', 'CURRENT', empty, 'CURRENT file does not end with newline'],
    ['the manifest is garbled', 'young', 'MANIFEST-', garble, 'Corruption'],
    ['a table file is garbled', 'old', '.ldb', garble, 'bad magic number'],
    ['a table file is empty', 'old', '.ldb', empty, '.ldb'],
    ['a table file is missing', 'old', '.ldb', rm, 'missing files'],
    ['the newest file is garbled', 'young', '.log', garble, 'the table is gone'],
  ] as const)('where %s', async (_what, state, ending, harm, seen) => {
    const copy = await damage(state, ending, harm);
    for (const _time of [1, 2]) {
      const { code, stdout, stderr } = await poll(copy);
      expect([code, stdout]).toStrictEqual([1, '']);
      expect(stderr).toMatch(
        /^gene-panel-notifier poll: Opening the state in .*\. Nothing was told\. .*--from.*\n$/,
      );
      expect(stderr).toContain(seen);
      expect(existsSync(join(root, copy, 'lock'))).toBe(false);
    }
  });
});

test('a copy that is whole goes on', async () => {
  expect(await poll(await damage('old', 'LOG', empty))).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('nothing new'),
  });
});
