import { mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MANIFEST, readManifest, SIGNATURE, sha256 } from '../../lambdas/questions/relay/manifest.ts';
import type { TreePlace } from '../../lambdas/questions/relay/write-tree.ts';
import { createTreeFolder, type FolderBefore } from './tree-folder.ts';

/** The link to the newest tree: what a web server serves. */
export const CURRENT = 'current';
const TREES = 'trees';

/**
 * A folder of trees, of which the newest is named `current` once it is whole; past days lie beside them, and each tree links to them.
 * @param directory where no other process writes a tree
 */
export async function openTreeInFolder(directory: string): Promise<TreePlace> {
  const before = await treeBefore(directory);
  const name = join(TREES, String(before === null ? 1 : Number(basename(before.path)) + 1));
  const root = join(directory, name);
  const daysOf = (catalogue: string): string => join(directory, 'days', catalogue);
  const placeOf = (path: string): string => {
    const [, catalogue = '', below] = /^([^/]+)\/at\/(.+)$/.exec(path) ?? [];
    return below === undefined ? join(root, path) : join(daysOf(catalogue), below);
  };
  const folder = createTreeFolder(root, before, placeOf);
  const days = async (catalogue: string): Promise<readonly string[]> => {
    await mkdir(daysOf(catalogue), { recursive: true });
    return (await readdir(daysOf(catalogue))).filter(isFinished).toSorted();
  };
  return {
    get count() {
      return folder.count;
    },
    put: folder.put,
    isThere: (path) => before?.files.has(path) ?? false,
    days,
    async newDay(catalogue, day) {
      const unfinished = join(daysOf(catalogue), `.${day}`);
      const drop = (): Promise<void> => rm(unfinished, { recursive: true, force: true });
      await drop();
      const files = createTreeFolder(unfinished, null, placeOf);
      const above = `${catalogue}/at/${day}/`.length;
      return {
        get count() {
          return files.count;
        },
        put: ({ path, body }, ...likely) => files.put({ path: path.slice(above), body }, ...likely),
        async keep() {
          await files.close();
          await rename(unfinished, join(daysOf(catalogue), day));
        },
        drop,
      };
    },
    async holdDays(catalogue) {
      await mkdir(join(root, catalogue, 'at'), { recursive: true });
      for (const day of await days(catalogue)) {
        const path = join(catalogue, 'at', day);
        await symlink(join('..', '..', '..', '..', 'days', catalogue, day), join(root, path));
        folder.name(`${path}/${MANIFEST}`, sha256(await readFile(join(daysOf(catalogue), day, MANIFEST))));
      }
    },
    async finish(sign) {
      await writeFile(join(root, SIGNATURE), sign(await folder.close()));
      const link = join(directory, `.${CURRENT}`);
      await rm(link, { force: true });
      await symlink(name, link);
      await rename(link, join(directory, CURRENT));
    },
  };
}

/**
 * The tree that `current` names; null before the first one. What lies beside it is removed: the one before it, which nobody reads by
 * now, and what a process left that was killed.
 */
async function treeBefore(directory: string): Promise<FolderBefore | null> {
  const current = await readlink(join(directory, CURRENT)).catch(() => null);
  const trees = join(directory, TREES);
  await mkdir(trees, { recursive: true });
  for (const name of await readdir(trees))
    if (current === null || name !== basename(current)) await rm(join(trees, name), { recursive: true });
  if (current === null) return null;
  const path = join(directory, current);
  const files = readManifest(await readFile(join(path, MANIFEST), 'utf8'));
  return { path, files: files ?? new Map() };
}

/** A day that is being written has a name with a dot before it. */
const isFinished = (name: string): boolean => !name.startsWith('.');
