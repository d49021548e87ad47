import { copyFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/state/sqlite-file.ts';
import type { MovableStore } from '../../lambdas/state/store.ts';

let root: string;
let folder: string;
let path: string;
let copy: string;
let file: StateFile;
let store: MovableStore;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'replaced-'));
  folder = join(root, 'state');
  path = join(folder, 'notifier.sqlite');
  copy = join(root, 'copy.sqlite');
  file = openStateFile(folder);
  store = createSqliteStore(file, 'uk');
  await store.begin({ mark: 1n, start: 1n, count: null, source: 'here' }, []);
  file.checkpoint();
  copyFileSync(path, copy);
});
afterEach(() => {
  file.close();
  rmSync(root, { recursive: true });
});

const write = async (): Promise<void> => {
  const stored = await store.load(0n);
  if (stored) await store.update(stored.position, {});
};

const overwritten = expect.objectContaining({
  code: 'STATE_LOST',
  message: expect.stringMatching(/was overwritten|was replaced/),
});

test('an older copy put over the file of a running program is noticed, before anything is written', async () => {
  await write();
  file.checkpoint();
  copyFileSync(copy, path);
  await expect(store.load(0n)).rejects.toThrow(overwritten);
  expect(() => file.transaction(() => file.database.exec('DELETE FROM position'))).toThrow(overwritten);
  await expect(store.load(0n)).rejects.toThrow(overwritten);
});

test('a copy of another state put over the file of a running program is noticed', async () => {
  const other = openStateFile(join(root, 'other'));
  const elsewhere = createSqliteStore(other, 'uk');
  await elsewhere.begin({ mark: 1n, start: 1n, count: null, source: 'here' }, []);
  for (let times = 0; times < 5; times += 1) {
    const stored = await elsewhere.load(0n);
    if (stored) await elsewhere.update(stored.position, {});
  }
  other.close();
  copyFileSync(join(root, 'other', 'notifier.sqlite'), path);
  await expect(store.load(0n)).rejects.toThrow(overwritten);
});

test.each([
  ['replaced', () => renameSync(copy, path)],
  ['moved away', () => renameSync(folder, join(root, 'elsewhere'))],
])('a file that was %s under a running program is noticed', async (_what, change) => {
  change();
  await expect(store.load(0n)).rejects.toMatchObject({ code: 'STATE_LOST' });
});

test('a folder whose file was overwritten is not used again, as the file may mix two states', async () => {
  await write();
  file.checkpoint();
  copyFileSync(copy, path);
  await expect(store.load(0n)).rejects.toThrow(overwritten);
  expect(() => openStateFile(folder)).toThrow(overwritten);
  cpSync(copy, join(root, 'empty', 'notifier.sqlite'), { recursive: true });
  const restored = openStateFile(join(root, 'empty'));
  const found = await createSqliteStore(restored, 'uk').load(0n);
  restored.close();
  expect(found?.rollback?.found).toContain('is a copy');
});

test('a file whose space was given back while another program reads is no replaced file', async () => {
  await write();
  file.checkpoint();
  await write();
  const reader = openStateFile(folder);
  reader.database.exec('BEGIN; SELECT count(*) FROM position');
  file.database.exec('VACUUM');
  file.checkpoint();
  // Some file systems know the time of a change to a few milliseconds only.
  utimesSync(path, 0, 0);
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
  expect(existsSync(`${path}.overwritten`)).toBe(false);
});
