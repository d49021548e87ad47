import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TreeFiles, TreePlace } from '../../lambdas/questions/relay/write-tree.ts';
import {
  fingerprintOf,
  isSigned,
  MANIFEST,
  type Manifest,
  PENDING,
  PUBLIC_KEY,
  printManifest,
  readManifest,
  SIGNATURE,
  sha256,
} from '../../lambdas/questions/relay/write-tree.ts';
import { InputError } from '../arguments.ts';

interface TreeFolder extends TreeFiles {
  /** Names a file in the manifest that lies there by a link. */
  name(path: string, digest: string): void;
  /** Writes the manifest, and returns it. */
  close(): Promise<string>;
}

interface FolderBefore {
  readonly path: string;
  readonly files: Manifest;
}

/**
 * Begins a folder at a path where nothing is.
 * @param placeOf where a file lies that may have the same content
 */
function createTreeFolder(
  root: string,
  before: FolderBefore | null,
  placeOf: (path: string) => string,
): TreeFolder {
  const files = new Map<string, string>();
  const made = new Set<string>();
  let changed = 0;
  const newPlace = async (path: string): Promise<string> => {
    const place = join(root, path);
    const folder = dirname(place);
    if (!made.has(folder)) await mkdir(folder, { recursive: true });
    made.add(folder);
    return place;
  };
  return {
    get count() {
      return { files: files.size, changed };
    },
    async put({ path, body }, ...likely) {
      const place = await newPlace(path);
      const [old, digest] = [before && join(before.path, path), before?.files.get(path)];
      if (body === null) {
        if (old === null || digest === undefined) throw new Error(`${path} was to be there already`);
        await linkOr(old, place, () => readFile(old));
        files.set(path, digest);
        return;
      }
      const bytes = Buffer.from(body);
      files.set(path, sha256(bytes));
      for (const candidate of [...(old === null ? [] : [old]), ...likely.map(placeOf)]) {
        const there = await readFile(candidate).catch(() => null);
        if (!there?.equals(bytes)) continue;
        if (candidate !== old) changed += 1;
        await linkOr(candidate, place, async () => bytes);
        return;
      }
      changed += 1;
      await writeFile(place, bytes, { flag: 'wx' });
    },
    name: (path, digest) => void files.set(path, digest),
    async close() {
      const manifest = printManifest(files);
      await writeFile(await newPlace(MANIFEST), manifest, { flag: 'wx' });
      return manifest;
    },
  };
}

/** A hard link; where the file system has none, or no more of them, a copy. */
async function linkOr(from: string, to: string, read: () => Promise<Buffer>): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await writeFile(to, await read(), { flag: 'wx' });
  }
}

/** The link to the newest tree: what a web server serves. */
const CURRENT = 'current';
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

/**
 * Compares every file of a tree with its manifests, and the uppermost of them with its signature.
 * @param directory where the tree was written, or a copy of its `current`
 * @param key of whoever publishes the tree; where null, the one that lies in it, which anybody may have put there
 * @throws {InputError} where there is no signed tree
 */
export async function verifyTree(directory: string, key: KeyObject | null) {
  const link = join(directory, CURRENT);
  const root = (await isFolder(link)) ? link : directory;
  const manifest = await read(root, MANIFEST);
  const signature = await read(root, SIGNATURE);
  const used = key ?? readPublicKey(await read(root, PUBLIC_KEY), join(root, PUBLIC_KEY));
  const problems: string[] = [];
  const pending = await pendingManifests(root);
  const signed = [{ manifest, signature }, ...pending].filter((one) =>
    isSigned(String(one.manifest), one.signature, used),
  );
  if (signed.length === 0)
    problems.push(`${MANIFEST} is not what the key with the fingerprint ${fingerprintOf(used)} signed.`);
  const manifests = signed.length === 0 ? [manifest] : signed.map((one) => one.manifest);
  const files = await verifyFolder({ root, below: '', manifests, isWhole: true }, problems);
  return {
    files,
    /** Of the key that signed it. */
    fingerprint: fingerprintOf(used),
    /** What is not as it was signed, a sentence each; empty for a tree that verifies. */
    problems,
    /** Whether its files are of more than one signed tree: those before and after a writing that has not ended. */
    isBeingWritten: pending.length > 0,
  };
}

interface Signed {
  readonly manifest: Buffer;
  readonly signature: Buffer;
}

/** The manifests of trees that are being written: until one is there whole, a file may be of it or of the one before. */
async function pendingManifests(root: string): Promise<readonly Signed[]> {
  const runs = await readdir(join(root, PENDING)).catch(() => []);
  const found = runs.map(async (run) => {
    const [manifest, signature] = await Promise.all(
      [MANIFEST, SIGNATURE].map((name) => readFile(join(root, PENDING, run, name)).catch(() => null)),
    );
    return manifest && signature ? [{ manifest, signature }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** @throws {InputError} when it is no public Ed25519 key */
export function readPublicKey(pem: string | Buffer, path: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below.
  }
  throw new InputError(`Reading the public key ${path}: it is no Ed25519 key in PEM form.`);
}

async function read(root: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(root, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `Reading ${join(root, name)}: ${code === 'ENOENT' ? 'there is no such file' : code}. Expected a folder that relay --export wrote, or a copy of its "${CURRENT}".`,
    );
  }
}

interface Folder {
  readonly root: string;
  /** The folder, below that one: `uk/at/2026-01-31/`. */
  readonly below: string;
  readonly manifests: readonly Buffer[];
  /** Whether a file may not be missing that each manifest names. */
  readonly isWhole: boolean;
}

/** Compares a folder with its manifests, and those in it that have one of their own; returns how many files they name. */
async function verifyFolder(
  { root, below, manifests, isWhole }: Folder,
  problems: string[],
): Promise<number> {
  const read = manifests.map((manifest) => readManifest(String(manifest)));
  const lists = read.filter((list) => list !== null);
  if (lists.length < read.length) {
    problems.push(`${below}${MANIFEST} is no manifest.`);
    return 0;
  }
  const named = new Set(lists.flatMap((list) => [...list.keys()]));
  let count = 0;
  for (const path of named) {
    const isNeeded = isWhole && lists.every((list) => list.has(path));
    const body = await readFile(join(root, below, path)).catch(() => null);
    if (!body) {
      if (isNeeded) problems.push(`${below}${path} is missing.`);
      continue;
    }
    const digest = sha256(body);
    if (!lists.some((list) => list.get(path) === digest))
      problems.push(`${below}${path} has another content than was signed.`);
    else if (path.endsWith(`/${MANIFEST}`)) {
      const folder = `${below}${path.slice(0, -MANIFEST.length)}`;
      count += await verifyFolder({ root, below: folder, manifests: [body], isWhole: isNeeded }, problems);
    } else count += 1;
  }
  for await (const path of filesIn(join(root, below), '', named)) {
    const isOfManifest = path === MANIFEST || (below === '' && isBesideManifest(path));
    if (!named.has(path) && !isOfManifest) problems.push(`${below}${path} is in no manifest.`);
  }
  return count;
}

const isBesideManifest = (path: string): boolean => path === SIGNATURE || path.startsWith(`${PENDING}/`);

/** The files of a folder, without those of folders that have a manifest of their own. */
async function* filesIn(root: string, below: string, named: ReadonlySet<string>): AsyncGenerator<string> {
  for (const name of await readdir(join(root, below))) {
    const path = `${below}${name}`;
    if (!(await isFolder(join(root, path)))) yield path;
    else if (!named.has(`${path}/${MANIFEST}`)) yield* filesIn(root, `${path}/`, named);
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;
