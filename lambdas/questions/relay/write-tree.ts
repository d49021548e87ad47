import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { DAY_MS } from '../../run/clock.ts';
import { NotRead, type RelaySource } from './shown-panels.ts';
import { type CatalogueTree, type Missing, openTree, type TreeFile } from './tree.ts';

/** Files that are being written. */
export interface TreeFiles {
  /** So many files there are, and so many of them that were nowhere before. */
  readonly count: { readonly files: number; readonly changed: number };
  /**
   * Writes a file, where it is not there already.
   * @param likely files of the tree that may have the same content
   */
  put(file: TreeFile, ...likely: readonly string[]): Promise<void>;
}

interface NewDay extends TreeFiles {
  /** Keeps it for good. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}

/** Where a tree is written, by one process at a time. */
export interface TreePlace extends TreeFiles {
  /** Whether the tree before has a file. */
  isThere(path: string): boolean;
  /** The days of a catalogue that are kept, oldest first. */
  days(catalogue: string): Promise<readonly string[]>;
  /** Begins a day that is not there. */
  newDay(catalogue: string, day: string): Promise<NewDay>;
  /** Takes every kept day of a catalogue into the tree. */
  holdDays(catalogue: string): Promise<void>;
  /** Makes it the tree that is read. */
  finish(sign: (manifest: string) => Uint8Array): Promise<void>;
}

interface TreeOptions {
  readonly sources: ReadonlyMap<string, RelaySource>;
  /** Of the addresses in the answers: `https://relay.example.org`. */
  readonly origin: string;
  /** Ed25519, private. */
  readonly key: KeyObject;
  /** The first past day that is written, where it is not there yet: `2026-01-31`. The one after those that are there where absent. */
  readonly from?: string | undefined;
  /** Which past days are written; each one where absent. */
  readonly keepsDay?: (day: string) => boolean;
  /** Whether the ended versions of each panel are files, too. */
  readonly versions: boolean;
}

/** What was written of a catalogue. */
export interface WrittenCatalogue {
  readonly asOf: string;
  readonly files: number;
  /** Of those files, the ones that are not as in the tree before. */
  readonly changed: number;
  readonly newDays: readonly string[];
  readonly missing: readonly Missing[];
}

/**
 * Writes what the relay answers as a tree of files. Whoever reads it finds the tree before or the whole new one, or, in a bucket, what
 * verifies as on the way from one to the other; also where the process is killed. Source: docs/guides/relay.md, "As files".
 * @throws {NotRead} where a panel of a catalogue was not read: the tree stays as it was
 */
export async function writeTree(
  place: TreePlace,
  { sources, origin, key, from, keepsDay = () => true, versions }: TreeOptions,
): Promise<ReadonlyMap<string, WrittenCatalogue>> {
  const written = new Map<string, WrittenCatalogue>();
  const catalogues: Record<string, unknown> = {};
  for (const [catalogue, source] of sources) {
    const tree = await openTree(source, origin);
    const started = place.count;
    const missing = await writeNow(place, tree, versions);
    const { files, changed } = place.count;
    const past = await writeDays(place, tree, { catalogue, from, keepsDay });
    await place.holdDays(catalogue);
    const { original, asOf } = tree;
    catalogues[catalogue] = { original, asOf, days: await place.days(catalogue), missing };
    written.set(catalogue, {
      asOf,
      files: files - started.files,
      changed: changed - started.changed,
      newDays: past.newDays,
      missing: [...missing, ...past.missing],
    });
  }
  await place.put({ path: 'relay.json', body: json({ format: 1, address: `${origin}/`, catalogues }) });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  await place.put({ path: PUBLIC_KEY, body: publicKey });
  await place.finish((manifest) => signManifest(manifest, key));
  return written;
}

async function writeNow(
  place: TreePlace,
  tree: CatalogueTree,
  versions: boolean,
): Promise<readonly Missing[]> {
  const { isThere } = place;
  for await (const file of tree.now({ versions, isThere })) await place.put(file);
  try {
    for await (const file of tree.signedOff()) await place.put(file, file.path.replace('/signed-off/', '/'));
    return [...tree.missing];
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    return [...tree.missing, { address: tree.address('signed-off/'), why: error.message }];
  }
}

interface DaysWanted {
  readonly catalogue: string;
  readonly from: string | undefined;
  readonly keepsDay: (day: string) => boolean;
}

async function writeDays(
  place: TreePlace,
  tree: CatalogueTree,
  { catalogue, from, keepsDay }: DaysWanted,
): Promise<Pick<WrittenCatalogue, 'newDays' | 'missing'>> {
  const there = await place.days(catalogue);
  const newDays: string[] = [];
  const missing: Missing[] = [];
  // A day that has to wait for a later row is tried again, until there is a newer one.
  const newest = daysBetween(daysBefore(tree.lastDay, LONGEST_MONTH), tree.lastDay).findLast(keepsDay);
  const first = from ?? there.at(-1) ?? newest ?? tree.lastDay;
  for (const day of daysBetween(first, tree.lastDay)) {
    if (there.includes(day) || !keepsDay(day)) continue;
    const files = await place.newDay(catalogue, day);
    const folder = `${catalogue}/at/${day}/`;
    const yesterday = newDays.at(-1) ?? there.findLast((other) => other < day);
    const known = tree.missing.length;
    try {
      for await (const file of tree.day(day)) {
        const below = file.path.slice(folder.length);
        const before = yesterday === undefined ? [] : [`${catalogue}/at/${yesterday}/${below}`];
        await files.put(file, ...before, `${catalogue}/${below}`);
      }
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      missing.push({ address: tree.address(`at/${day}/`), why: error.message });
      await files.drop();
      continue;
    }
    const own = tree.missing.slice(known);
    missing.push(...own);
    await files.put({ path: `${folder}relay.json`, body: json({ missing: own }) });
    await files.keep();
    newDays.push(day);
  }
  return { newDays, missing };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function daysBetween(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = daysBefore(day, -1)) days.push(day);
  return days;
}

const LONGEST_MONTH = 31;

const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

/** Whether a day is the last one of its month. */
export const isEndOfMonth = (day: string): boolean => daysBefore(day, -1).endsWith('-01');

/** The files of a tree: by path below the folder that the manifest lies in, the SHA-256 as hexadecimal digits. */
export type Manifest = ReadonlyMap<string, string>;

/** As `sha256sum --check` reads it. */
export const MANIFEST = 'SHA256SUMS';
/** The Ed25519 signature of the manifest, 64 bytes. */
export const SIGNATURE = 'SHA256SUMS.sig';
/** The folder of the manifests, with their signatures, of trees that are being written: `pending/RUN/SHA256SUMS`. */
export const PENDING = 'pending';
/** The key that verifies it, as PEM. */
export const PUBLIC_KEY = 'public-key.pem';

/** A digest, as hexadecimal digits. */
export const sha256 = (body: string | Uint8Array): string => hash('sha256', body, 'hex');

/** The text of a manifest, in the order of the paths. */
export const printManifest = (files: Manifest): string =>
  [...files]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');

/** @returns null where the text is no manifest, or names a file outside its folder */
export function readManifest(text: string): Manifest | null {
  const files = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}([^\\]+)$/.exec(line) ?? [];
    if (digest === undefined || path === undefined || path.startsWith('/')) return null;
    if (path.split('/').includes('..')) return null;
    files.set(path, digest);
  }
  return text.endsWith('\n') || text === '' ? files : null;
}

/** The private Ed25519 key in a text; null where there is none, without its reason, which may hold a part of the key. */
export function signingKeyIn(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** @param key Ed25519, private */
export const signManifest = (text: string, key: KeyObject): Buffer => sign(null, Buffer.from(text), key);

/** @param key Ed25519, public */
export const isSigned = (text: string, signature: Uint8Array, key: KeyObject): boolean =>
  verify(null, Buffer.from(text), key, signature);

/** A key's fingerprint: the SHA-256 of its DER form, as hexadecimal digits. */
export const fingerprintOf = (key: KeyObject): string => sha256(key.export({ type: 'spki', format: 'der' }));
