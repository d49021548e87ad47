import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { NotRead, type RelaySource } from '../../lambdas/questions/relay/relay-source.ts';
import { type CatalogueTree, type Missing, openTree } from '../../lambdas/questions/relay/tree.ts';
import { CURRENT, MANIFEST, PUBLIC_KEY, readManifest, SIGNATURE, sha256, signManifest } from './manifest.ts';
import { createTreeFolder, type FolderBefore, type TreeFolder } from './tree-folder.ts';

/** What a tree is made of. */
interface TreeOptions {
  readonly sources: ReadonlyMap<string, RelaySource>;
  /** Of the addresses in the answers: `https://relay.example.org`. */
  readonly origin: string;
  /** Ed25519, private. */
  readonly key: KeyObject;
  /** The first past day that is written, where it is not there yet: `2026-01-31`. The one after those that are there where absent. */
  readonly from?: string | undefined;
  /** Whether the ended versions of each panel are files, too. */
  readonly versions: boolean;
}

/** What was written of a catalogue. */
export interface WrittenCatalogue {
  readonly asOf: string;
  readonly files: number;
  /** Of those files, the ones that are not as in the tree before. */
  readonly changed: number;
  /** The past days that are new. */
  readonly newDays: readonly string[];
  /** What was not read. */
  readonly missing: readonly Missing[];
}

/**
 * Writes what the relay answers as a tree of files, and then names it `current`. Whoever reads `current` finds the tree before or the
 * whole new one, also where the process is killed. Source: docs/guides/relay.md, "As files".
 * @param directory where no other process writes a tree
 * @throws {NotRead} where a panel of a catalogue was not read: the tree stays as it was
 */
export async function writeTree(
  directory: string,
  { sources, origin, key, from, versions }: TreeOptions,
): Promise<ReadonlyMap<string, WrittenCatalogue>> {
  const before = await treeBefore(directory);
  const name = join(TREES, String(before === null ? 1 : Number(basename(before.path)) + 1));
  const root = join(directory, name);
  const folder = createTreeFolder(root, before);
  const written = new Map<string, WrittenCatalogue>();
  const catalogues: Record<string, unknown> = {};
  for (const [catalogue, source] of sources) {
    const tree = await openTree(source, origin);
    const started = folder.count;
    const missing = await writeNow(folder, tree, { root, versions, before });
    const { files, changed } = folder.count;
    const days = join(directory, 'days', catalogue);
    const past = await writeDays(days, tree, { from, root });
    const all = (await readdir(days)).filter(isFinished).toSorted();
    await mkdir(join(root, catalogue, 'at'), { recursive: true });
    for (const day of all) {
      const path = join(catalogue, 'at', day);
      await symlink(join('..', '..', '..', '..', 'days', catalogue, day), join(root, path));
      folder.name(`${path}/${MANIFEST}`, sha256(await readFile(join(days, day, MANIFEST))));
    }
    const { original, asOf } = tree;
    catalogues[catalogue] = { original, asOf, days: all, missing };
    written.set(catalogue, {
      asOf,
      files: files - started.files,
      changed: changed - started.changed,
      newDays: past.newDays,
      missing: [...missing, ...past.missing],
    });
  }
  await folder.put({ path: 'relay.json', body: json({ format: 1, address: `${origin}/`, catalogues }) });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  await folder.put({ path: PUBLIC_KEY, body: publicKey });
  const manifest = await folder.close();
  await writeFile(join(root, SIGNATURE), signManifest(manifest, key));
  const link = join(directory, `.${CURRENT}`);
  await rm(link, { force: true });
  await symlink(name, link);
  await rename(link, join(directory, CURRENT));
  return written;
}

const TREES = 'trees';

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

/** Writes the catalogue as it is now, and with its signed-off versions; returns what was not read. */
async function writeNow(
  folder: TreeFolder,
  tree: CatalogueTree,
  { root, versions, before }: { root: string; versions: boolean; before: FolderBefore | null },
): Promise<readonly Missing[]> {
  const isThere = (path: string): boolean => before?.files.has(path) ?? false;
  for await (const file of tree.now({ versions, isThere })) await folder.put(file);
  try {
    for await (const file of tree.signedOff())
      await folder.put(file, join(root, file.path.replace('/signed-off/', '/')));
    return [...tree.missing];
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    return [...tree.missing, { address: tree.address('signed-off/'), why: error.message }];
  }
}

/** A day that is being written has a name with a dot before it. */
const isFinished = (name: string): boolean => !name.startsWith('.');

/** Writes the past days that are not there, each whole or not at all. */
async function writeDays(
  days: string,
  tree: CatalogueTree,
  { from, root }: { from: string | undefined; root: string },
): Promise<Pick<WrittenCatalogue, 'newDays' | 'missing'>> {
  await mkdir(days, { recursive: true });
  const there = (await readdir(days)).filter(isFinished).toSorted();
  const newDays: string[] = [];
  const missing: Missing[] = [];
  const first = from ?? there.at(-1) ?? tree.lastDay;
  for (const day of daysBetween(first, tree.lastDay)) {
    if (there.includes(day)) continue;
    const unfinished = join(days, `.${day}`);
    await rm(unfinished, { recursive: true, force: true });
    const folder = createTreeFolder(unfinished, null);
    const yesterday = newDays.at(-1) ?? there.findLast((other) => other < day);
    const known = tree.missing.length;
    try {
      for await (const { path, body } of tree.day(day)) {
        const [catalogue = '', , , ...rest] = path.split('/');
        const below = rest.join('/');
        const likely = yesterday === undefined ? [] : [join(days, yesterday, below)];
        await folder.put({ path: below, body }, ...likely, join(root, catalogue, below));
      }
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      missing.push({ address: tree.address(`at/${day}/`), why: error.message });
      await rm(unfinished, { recursive: true, force: true });
      continue;
    }
    const own = tree.missing.slice(known);
    missing.push(...own);
    await folder.put({ path: 'relay.json', body: json({ missing: own }) });
    await folder.close();
    await rename(unfinished, join(days, day));
    newDays.push(day);
  }
  return { newDays, missing };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function daysBetween(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
