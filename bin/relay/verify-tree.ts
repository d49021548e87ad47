import { createPublicKey, type KeyObject } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../input.ts';
import {
  CURRENT,
  fingerprintOf,
  isSigned,
  MANIFEST,
  type Manifest,
  PUBLIC_KEY,
  readManifest,
  SIGNATURE,
  sha256,
} from './manifest.ts';

/** Whether a tree of files is as it was signed. */
interface Verified {
  readonly files: number;
  /** Of the key that signed it. */
  readonly fingerprint: string;
  /** What is not as it was signed, a sentence each; empty for a tree that verifies. */
  readonly problems: readonly string[];
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
  if (!isSigned(String(manifest), signature, used))
    problems.push(`${MANIFEST} is not what the key with the fingerprint ${fingerprintOf(used)} signed.`);
  const files = await verifyFolder({ root, below: '', manifest }, problems);
  return { files, fingerprint: fingerprintOf(used), problems };
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

/** A folder of a tree that has a manifest. */
interface Folder {
  readonly root: string;
  /** The folder, below that one: `uk/at/2026-01-31/`. */
  readonly below: string;
  readonly manifest: Buffer;
}

/** Compares a folder with its manifest, and those in it that have one of their own; returns how many files they name. */
async function verifyFolder({ root, below, manifest }: Folder, problems: string[]): Promise<number> {
  const named = readManifest(String(manifest));
  if (!named) {
    problems.push(`${below}${MANIFEST} is no manifest.`);
    return 0;
  }
  let count = 0;
  for (const [path, digest] of named) {
    const body = await readFile(join(root, below, path)).catch(() => null);
    if (!body) problems.push(`${below}${path} is missing.`);
    else if (sha256(body) !== digest) problems.push(`${below}${path} has another content than was signed.`);
    else if (path.endsWith(`/${MANIFEST}`))
      count += await verifyFolder(
        { root, below: `${below}${path.slice(0, -MANIFEST.length)}`, manifest: body },
        problems,
      );
    else count += 1;
  }
  for await (const path of filesIn(join(root, below), '', named))
    if (!named.has(path) && path !== MANIFEST && `${below}${path}` !== SIGNATURE)
      problems.push(`${below}${path} is in no manifest.`);
  return count;
}

/** The files of a folder, without those of folders that have a manifest of their own. */
async function* filesIn(root: string, below: string, named: Manifest): AsyncGenerator<string> {
  for (const name of await readdir(join(root, below))) {
    const path = `${below}${name}`;
    if (!(await isFolder(join(root, path)))) yield path;
    else if (!named.has(`${path}/${MANIFEST}`)) yield* filesIn(root, `${path}/`, named);
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;
