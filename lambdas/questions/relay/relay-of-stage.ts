import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SecretSource } from '../../catalogue/identity/secret.ts';
import type { KeptOfCatalogue } from '../../panels/sqlite-panel-states.ts';
import { inGroups } from '../../run/in-groups.ts';
import { formatInstant } from '../../run/instant.ts';
import { loadRows } from '../../store/history/kept-rows.ts';
import type { Lease } from '../../store/lease.ts';
import type { Objects } from '../../store/objects-s3.ts';
import { NotRead, panelsNow, type RelaySource } from './shown-panels.ts';
import {
  isEndOfMonth,
  MANIFEST,
  PENDING,
  PUBLIC_KEY,
  printManifest,
  readManifest,
  SIGNATURE,
  sha256,
  signingKeyIn,
  type TreeFile,
  type TreePlace,
  type WrittenCatalogue,
  writeTree,
} from './write-tree.ts';

class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
  readonly code = 'SIGNING_KEY_WRONG';
}

/**
 * The key that signs the trees of a stage.
 * @throws {SigningKeyError} without any part of what the secret holds
 */
export async function readSigningKey({ name, read }: SecretSource): Promise<KeyObject> {
  const key = signingKeyIn(await read());
  if (key) return key;
  throw new SigningKeyError(
    `Reading ${name}: it holds no private Ed25519 key in PEM form. Put one there, as docs/guides/relay.md shows under "On AWS".`,
  );
}

interface WriteOptions {
  /** What the stage keeps of each catalogue; the rows of its log are read where something is new. */
  readonly sources: readonly KeptOfCatalogue[];
  readonly bucket: Objects;
  /** Of the addresses in the answers: `https://relay.example.org`. */
  readonly origin: string;
  /** Ed25519, private. */
  readonly key: KeyObject;
  /** Whether the ended versions of each panel are files, too. */
  readonly versions: boolean;
  /** Held while it writes. */
  readonly lease: Lease;
  readonly runId: string;
  /** An empty folder. */
  readonly spool: string;
}

/** What was written of a catalogue; `missing` counts the answers that were not read: `relay.json` names them. */
type StageWritten = Omit<WrittenCatalogue, 'missing'> & { readonly missing: number };

/** What a run did. */
export type StageRelayReport =
  | { readonly outcome: 'written'; readonly catalogues: Readonly<Record<string, StageWritten>> }
  /** The bucket shows what is known already. */
  | { readonly outcome: 'unchanged' }
  /** Another run writes. */
  | { readonly outcome: 'busy' }
  /** A panel was not read yet: the tree stays as it is. */
  | { readonly outcome: 'not-read'; readonly why: string };

/**
 * Writes the relay's tree of a stage into a bucket, where the newest list of panels is newer than what the bucket shows. Of past days
 * it has the ends of months: a bucket has no links, and every day would be the whole catalogue once more.
 * @throws {StateError | HistoryError} when a table or the bucket does not answer: the next run goes on
 */
export async function writeRelayOfStage(options: WriteOptions): Promise<StageRelayReport> {
  const { sources, bucket, origin, key, versions, lease, runId, spool } = options;
  if (!(await lease.take())) return { outcome: 'busy' };
  try {
    if (await showsAll(options)) return { outcome: 'unchanged' };
    const withRows = new Map<string, RelaySource>();
    for (const source of sources) {
      const { catalogue, history } = source;
      withRows.set(catalogue, { ...source, rows: await loadRows(history, catalogue) });
    }
    const place = await openTreeInBucket(bucket, { spool, run: runId });
    const tree = { sources: withRows, origin, key, versions, keepsDay: isEndOfMonth };
    const written = [...(await writeTree(place, tree))].map(
      ([catalogue, { missing, ...one }]) => [catalogue, { ...one, missing: missing.length }] as const,
    );
    return { outcome: 'written', catalogues: Object.fromEntries(written) };
  } catch (error) {
    if (error instanceof NotRead) return { outcome: 'not-read', why: error.message };
    throw error;
  } finally {
    await lease.release();
  }
}

const shownSchema = z.lazy(() =>
  z.object({ address: z.string(), catalogues: z.record(z.string(), z.object({ asOf: z.string() })) }),
);

async function showsAll({ bucket, sources, origin, key }: WriteOptions): Promise<boolean> {
  const [about, publicKey] = [await bucket.read('relay.json'), await bucket.read(PUBLIC_KEY)];
  if (about === null || (await bucket.names(`${PENDING}/`)).length > 0) return false;
  const shown = shownSchema.safeParse(JSON.parse(String(about))).data;
  if (shown?.address !== `${origin}/` || Object.keys(shown.catalogues).length !== sources.length)
    return false;
  if (createPublicKey(key).export({ type: 'spki', format: 'pem' }) !== String(publicKey)) return false;
  for (const source of sources) {
    const { at } = await panelsNow(source);
    if (shown.catalogues[source.catalogue]?.asOf !== formatInstant(at)) return false;
  }
  return true;
}

interface InBucket {
  /** An empty folder, for what is put once all of it is known. */
  readonly spool: string;
  /** Names the run: no other one has the name. */
  readonly run: string;
}

const PARALLEL = 16;

/**
 * A tree in a bucket, each file an object. A bucket has no folder that could be renamed, so a new tree takes the place of the earlier
 * one file by file, in an order that leaves at each moment what `relay --verify` can check: first the signed manifest of the new tree
 * in `pending/`, then the changed files, then the manifest in its place. Until that one is there, each file is of one of the signed trees.
 */
export async function openTreeInBucket(objects: Objects, { spool, run }: InBucket): Promise<TreePlace> {
  const { before, known, begun, pending, text: textBefore } = await bucketBefore(objects);
  const manifest = new Map<string, string>();
  const changed = new Map<string, string>();
  const daysNow = new Map<string, Map<string, string>>();
  for (const [path, digest] of before) {
    const { catalogue, day } = dayOf(path) ?? {};
    if (catalogue === undefined || day === undefined) continue;
    daysNow.set(catalogue, (daysNow.get(catalogue) ?? new Map()).set(day, digest));
  }
  const gone = new Set(known);
  let spooled = 0;
  /** Keeps a body until it is put; returns its digest. */
  const keep = async (path: string, body: string | Uint8Array): Promise<string> => {
    const place = join(spool, String(spooled));
    spooled += 1;
    await writeFile(place, body);
    changed.set(path, place);
    return sha256(body);
  };
  const put = async ({ path, body }: TreeFile): Promise<void> => {
    const old = before.get(path);
    if (body === null && old === undefined) throw new Error(`${path} was to be there already`);
    const isOld = body === null || sha256(body) === old;
    manifest.set(path, isOld && old !== undefined ? old : await keep(path, body ?? ''));
  };
  const days = async (catalogue: string): Promise<readonly string[]> =>
    [...(daysNow.get(catalogue)?.keys() ?? [])].toSorted();

  return {
    get count() {
      return { files: manifest.size, changed: changed.size };
    },
    put,
    isThere: (path) => before.has(path),
    days,
    async newDay(catalogue, day) {
      const folder = `${catalogue}/at/${day}/`;
      const own = new Map<string, string>();
      return {
        get count() {
          return { files: own.size, changed: own.size };
        },
        put: async ({ path, body }) => {
          if (body === null) throw new Error(`${path} was to be there already`);
          own.set(path, await keep(path, body));
        },
        async keep() {
          const below = new Map([...own].map(([path, digest]) => [path.slice(folder.length), digest]));
          const digest = await keep(`${folder}${MANIFEST}`, printManifest(below));
          daysNow.set(catalogue, (daysNow.get(catalogue) ?? new Map()).set(day, digest));
        },
        async drop() {
          for (const path of own.keys()) changed.delete(path);
        },
      };
    },
    async holdDays(catalogue) {
      for (const [day, digest] of daysNow.get(catalogue) ?? [])
        manifest.set(`${catalogue}/at/${day}/${MANIFEST}`, digest);
    },
    async finish(sign) {
      const text = printManifest(manifest);
      const signature = sign(text);
      const signedBefore = await objects.read(SIGNATURE);
      if (text === textBefore && signedBefore?.equals(signature) && pending.length === 0) return;
      const putSigned = async (folder: string): Promise<void> => {
        await objects.put(`${folder}${MANIFEST}`, Buffer.from(text), headersOf(MANIFEST));
        await objects.put(`${folder}${SIGNATURE}`, signature, headersOf(SIGNATURE));
      };
      const own = `${PENDING}/${run}/`;
      // Written again, such a day may have other files.
      for (const lists of [false, true])
        await objects.remove(begun.filter((name) => (dayOf(name) !== null) === lists));
      await putSigned(own);
      // A day begins with its manifest, which names what follows.
      const isList = ([path]: readonly [string, string]): boolean => path.endsWith(`/${MANIFEST}`);
      for (const part of [[...changed].filter(isList), [...changed].filter((one) => !isList(one))])
        await inGroups(PARALLEL, part, async ([path, place]) =>
          objects.put(path, await readFile(place), headersOf(path)),
        );
      for (const path of [...manifest.keys(), ...changed.keys()]) gone.delete(path);
      await objects.remove([...gone]);
      await putSigned('');
      await objects.remove([...pending, `${own}${MANIFEST}`, `${own}${SIGNATURE}`]);
    },
  };
}

async function bucketBefore(objects: Objects) {
  const text = await objects.read(MANIFEST);
  const pending = await objects.names(`${PENDING}/`);
  const texts = [text];
  for (const name of pending) if (name.endsWith(`/${MANIFEST}`)) texts.push(await objects.read(name));
  const lists = texts.map((one) => (one && readManifest(String(one))) ?? new Map<string, string>());
  const known = new Set(lists.flatMap((list) => [...list.keys()]));
  const before = new Map<string, string>();
  const begun: string[] = [];
  for (const path of known) {
    const digest = lists[0]?.get(path);
    if (digest !== undefined && lists.every((list) => list.get(path) === digest)) before.set(path, digest);
    else if (dayOf(path)) begun.push(...(await objects.names(path.slice(0, -MANIFEST.length))));
  }
  return {
    /** Where every manifest names the same content, of the tree or of one that was begun: the bucket has that, or it was changed by hand. */
    before,
    /** Every name that may be there, without the files of days. */
    known,
    /** What is there of days that were begun and not kept. */
    begun,
    /** The objects of trees that were begun and not ended. */
    pending,
    /** The manifest of the tree. */
    text: text && String(text),
  };
}

function dayOf(path: string): { readonly catalogue: string; readonly day: string } | null {
  const [, catalogue, day, name] = /^([^/]+)\/at\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return catalogue !== undefined && day !== undefined && name === MANIFEST ? { catalogue, day } : null;
}

const headersOf = (path: string) => ({
  contentType: path.endsWith('.json')
    ? 'application/json'
    : path.endsWith('.sig')
      ? 'application/octet-stream'
      : 'text/plain; charset=utf-8',
  cacheControl: /^[^/]+\/at\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
});
