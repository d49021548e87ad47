import { cp, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import type { RunningCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { type Ran, runCommand } from './run-command.ts';
import { savedPage, startSaved } from './saved-page.ts';

let root: string;
let state: string;
let catalogue: RunningCatalogue;
beforeEach(async () => {
  root = newFolder();
  state = join(root, 'state');
  catalogue = await startSaved();
});
afterEach(() => catalogue.close());

const given = (folder = state): string[] => ['--catalogue', catalogue.url, '--state', folder, '--name', 'uk'];
const poll = (folder?: string, ...args: string[]): Promise<Ran> =>
  runCommand(['poll', '--only', 'log', ...given(folder), ...args]);
const backup = (file: string): Promise<Ran> => runCommand(['backup', file, '--state', state]);
const history = (folder: string): Promise<Ran> =>
  runCommand(['history', '--state', folder, '--format', 'ndjson']);

describe('backup', () => {
  test('copies state and history into one file while they are in use, for its owner alone', async () => {
    await poll(state, '--from', '2023-11-10');
    const inUse = openStateFile(state);
    const file = join(root, 'copies', 'notifier.sqlite');
    const { code, stdout, stderr } = await backup(file);
    inUse.close();
    expect([code, stdout]).toStrictEqual([0, '']);
    expect(stderr).toMatch(/\d+ events?, "uk" published up to 2023-11-17T15:57:41\.\d{6}Z/);
    expect(await readdir(join(root, 'copies'))).toStrictEqual(['notifier.sqlite']);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect((await history(join(root, 'copies'))).stdout).toBe((await history(state)).stdout);
  });

  test('that is restored is announced by the first poll, which publishes the events since with the same ids', async () => {
    await poll(state, '--from', '2023-11-10');
    await backup(join(root, 'restored', 'notifier.sqlite'));
    const [row] = savedPage('activities');
    const { created: _created, ...rest } = row ?? {};
    catalogue.addRows([{ ...rest, text: 'Deleted their comment' }]);
    const later = await poll();
    const again = await poll(join(root, 'restored'));
    expect(again.stderr).toMatch(/it is a backup of \d{4}-\d\d-\d\dT/);
    expect(again.stdout).toBe(later.stdout);
    expect(again.stdout).not.toBe('');
    expect((await poll(join(root, 'restored'))).stderr).not.toContain('backup');
  });

  test.each([
    ['a file that is there', async (file: string) => writeFile(file, 'mine'), 'is there already'],
    [
      'a folder that is a file',
      async (file: string) => writeFile(join(file, '..'), 'mine').catch(() => {}),
      '',
    ],
  ])('never replaces %s', async (_what, prepare, said) => {
    await poll(state, '--from', '2023-11-10');
    const file = join(root, 'there.sqlite');
    await prepare(file);
    const before = await readdir(root);
    const { code, stderr } = await backup(said === '' ? join(state, 'process', 'x') : file);
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('    at ');
    expect(await readdir(root)).toStrictEqual(before);
  });

  test('needs a state, and the name of a file', async () => {
    expect(await backup(join(root, 'x'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was kept there'),
    });
    expect(await runCommand(['backup'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the FILE to write'),
    });
  });
});

test('a copy of the database alone holds everything up to the last sweep, although the service runs', async () => {
  const held = openStateFile(state);
  await poll(state, '--from', '2023-11-10');
  await runCommand(['poll', '--only', 'listings', ...given()]);
  const alone = join(root, 'alone');
  await cp(join(state, 'notifier.sqlite'), join(alone, 'notifier.sqlite'), { recursive: true });
  const whole = await history(state);
  held.close();
  expect(whole.stdout).not.toBe('');
  expect((await history(alone)).stdout).toBe(whole.stdout);
});
