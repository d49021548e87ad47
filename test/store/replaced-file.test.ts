import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { MovableStore } from '../../lambdas/store/store.ts';
import { newFolder } from '../new-folder.ts';

let root: string;
let folder: string;
let path: string;
let copy: string;
let file: StateFile;
let store: MovableStore;
beforeEach(async () => {
  root = newFolder();
  folder = join(root, 'state');
  path = join(folder, 'notifier.sqlite');
  copy = join(root, 'copy.sqlite');
  file = openStateFile(folder);
  store = createSqliteStore(file, 'uk');
  await store.begin({ mark: 1n, start: 1n, count: null, source: 'here' }, []);
  file.checkpoint();
  copyFileSync(path, copy);
});
afterEach(() => file.close());

const write = async (): Promise<void> => {
  const stored = await store.load(0n);
  if (stored) await store.update(stored.position, {});
};

test.each([
  ['replaced', () => renameSync(copy, path)],
  ['moved away', () => renameSync(folder, join(root, 'elsewhere'))],
])('a file that was %s under a running program is noticed', async (_what, change) => {
  change();
  await expect(store.load(0n)).rejects.toMatchObject({ code: 'STATE_LOST' });
});

test('a file whose space was given back while another program reads is no replaced file', async () => {
  await write();
  file.checkpoint();
  await write();
  const reader = openStateFile(folder);
  reader.database.exec('BEGIN; SELECT count(*) FROM position');
  file.database.exec('VACUUM');
  file.checkpoint();
  expect((await store.load(0n))?.position.version).toBe(3);
  reader.database.exec('COMMIT');
  file.checkpoint();
  await write();
  expect((await store.load(0n))?.position.version).toBe(4);
  reader.close();
});

test('what other programs write and checkpoint is no replaced file', async () => {
  for (let times = 0; times < 20; times += 1) {
    const other = openStateFile(folder);
    const beside = createSqliteStore(other, 'uk');
    const stored = await beside.load(0n);
    if (stored) await beside.update(stored.position, {});
    if (times % 3 === 0) other.checkpoint();
    other.close();
    await write();
    if (times % 4 === 0) file.checkpoint();
  }
  expect((await store.load(0n))?.position.version).toBe(41);
});
