import { createPublicKey, type KeyObject } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  fingerprintOf,
  isSigned,
  MANIFEST,
  PENDING,
  PUBLIC_KEY,
  readManifest,
  SIGNATURE,
  sha256,
} from '../../lambdas/questions/relay/manifest.ts';
import { InputError } from '../input.ts';
import { CURRENT } from './tree-in-folder.ts';

/** Whether a tree of files is as it was signed. */
interface Verified {
  readonly files: number;
  /** Of the key that signed it. */
  readonly fingerprint: string;
  /** What is not as it was signed, a sentence each; empty for a tree that verifies. */
  readonly problems: readonly string[];
  /** Whether its files are of more than one signed tree: those before and after a writing that has not ended. */
  readonly isBeingWritten: boolean;
}

/**
 * Compares every file of a tree with its manifests, and the uppermost of them with its signature.
 * @param directory where the tree was written, or a copy of its `current`
 * @param key of whoever publishes the tree; where null, the one that lies in it, which anybody may have put there
 * @throws {InputError} where there is no signed tree
 */
export async function verifyTree(directory: string, key: KeyObject | null): Promise<Verified> {
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
  return { files, fingerprint: fingerprintOf(used), problems, isBeingWritten: pending.length > 0 };
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

/** A folder of a tree that has a manifest, or several while it is written. */
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
