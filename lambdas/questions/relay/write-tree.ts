import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { DAY_MS } from '../../run/clock.ts';
import { endOfDay, formatInstant, minutes } from '../../run/instant.ts';
import { type CatalogueThen, everyGene, type Resource, resourceAt } from './resources.ts';
import {
  createShownPanels,
  NotRead,
  originalOf,
  type PanelsThen,
  panelsAt,
  panelsNow,
  panelsSignedOff,
  type RelaySource,
  wholeOf,
} from './shown-panels.ts';

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

/** An answer of the relay, as a file. */
export interface TreeFile {
  /** Below the folder of the tree, with `/` between names. */
  readonly path: string;
  /** Null where it never changes, and is there already. */
  readonly body: string | Buffer | null;
}

/** An answer that is not in a tree. */
interface Missing {
  readonly address: string;
  /** A clause for people. */
  readonly why: string;
}

interface NowAsked {
  readonly versions: boolean;
  isThere(path: string): boolean;
}

/** What the relay of one catalogue answers, as files. What was not read is no file. */
type CatalogueTree = Awaited<ReturnType<typeof openTree>>;

const DAY = minutes(24 * 60);

/** A longer name is not one of a file everywhere, in bytes. */
const LONGEST_NAME = 200;

/**
 * The file of an address: that of `/uk/api/v1/panels/?page=2` is `uk/api/v1/panels/@page=2.json`. A server without the rule that finds it
 * has nothing at the address, rather than another page.
 * @returns null where a name in it is too long
 */
function pathOf({ pathname, search }: URL): string | null {
  const names = pathname.slice(1).split('/').map(nameOf);
  names.push(`${names.pop() ?? ''}@${nameOf(search.slice(1))}.json`);
  return names.some((name) => Buffer.byteLength(name) > LONGEST_NAME) ? null : names.join('/');
}

/** What a server makes of a name in an address; as it is where that would be no name. */
function nameOf(encoded: string): string {
  const name = decodeURIComponent(encoded);
  return /[/\\\p{Cc}]|^\.+$/u.test(name) ? encoded : name;
}

function fixedAnswers({ of, read }: RelaySource['answers']): RelaySource['answers'] {
  const kept = new Map<number, ReturnType<typeof of>>();
  return {
    of(panelId) {
      const keys = kept.get(panelId) ?? of(panelId);
      kept.set(panelId, keys);
      return keys;
    },
    read,
  };
}

/**
 * Fixes what is known of a catalogue now, for a tree of files: what is read meanwhile changes nothing of it.
 * @param origin of the addresses in the answers: `https://relay.example.org`
 * @throws {NotRead} where the panels have not been listed yet, or one of them was not read
 */
async function openTree(source: RelaySource, origin: string) {
  const shown = createShownPanels(fixedAnswers(source.answers));
  const held = await panelsNow(source);
  wholeOf(held);
  const missing: Missing[] = [];
  const whole = { source, shown, held };

  const addressOf = (moment: string, path: string): URL =>
    new URL(`${origin}/${source.catalogue}/${moment}api/v1/${path}`);

  const answerAt = async (at: CatalogueThen, url: URL, path: string): Promise<Resource | null> => {
    try {
      return (await resourceAt(path)?.(at, url)) ?? null;
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      missing.push({ address: url.href, why: error.message });
      return null;
    }
  };
  const fileOf = (url: URL, body: TreeFile['body']): readonly TreeFile[] => {
    const path = pathOf(url);
    if (path !== null) return [{ path, body }];
    missing.push({ address: url.href, why: 'a name in it is too long for a file' });
    return [];
  };
  /** An address, and the pages after it. */
  async function* pages(at: CatalogueThen, moment: string, path: string): AsyncGenerator<TreeFile> {
    let url: URL | null = addressOf(moment, path);
    const [resource = ''] = path.split('?');
    while (url) {
      const answer = await answerAt(at, url, resource);
      if (answer?.status !== 200) return;
      yield* fileOf(url, answer.body);
      url = answer.next ? new URL(answer.next) : null;
    }
  }
  async function* panels(at: CatalogueThen, moment: string): AsyncGenerator<TreeFile> {
    yield* pages(at, moment, 'panels/');
    for (const id of at.held.panels.keys())
      for (const path of ['', 'genes/', 'genes/?confidence_level=3', 'strs/', 'regions/'])
        yield* pages(at, moment, `panels/${id}/${path}`);
  }
  async function* logs(at: CatalogueThen, moment: string): AsyncGenerator<TreeFile> {
    for (const id of at.held.panels.keys()) yield* pages(at, moment, `panels/${id}/activities/`);
    yield* pages(at, moment, 'panels/signedoff/');
  }
  const heldAt = async (then: Promise<PanelsThen>): Promise<CatalogueThen> => ({
    ...whole,
    held: await then,
  });

  return {
    /** The `/api/v1/` URL of the catalogue. */
    original: await originalOf(source),
    /** The time for which the answers hold. */
    asOf: formatInstant(held.at),
    /** The last day of UTC that ended by then. */
    lastDay: formatInstant(held.at - DAY + 1n).slice(0, 10),
    /** What has no file, so far. */
    missing,
    /** The address of its answers: `''` now, `signed-off/`, or `at/2026-01-31/`. */
    address: (moment: string) => addressOf(moment, '').href,
    /**
     * Panels with their entities, their logs, signed-off panels, genes and the log, as they are now.
     * @param asked with `versions`, each version of a panel that is kept is a file; `isThere` says which are there already
     */
    async *now({ versions, isThere }: NowAsked) {
      yield* panels(whole, '');
      yield* logs(whole, '');
      yield* pages(whole, '', 'activities/');
      const urlOf = (name: string): URL => addressOf('', `genes/${encodeURIComponent(name)}/`);
      for await (const { url, resource } of everyGene(whole, urlOf)) yield* fileOf(url, resource.body);
      if (!versions) return;
      for (const [id, now] of held.panels)
        for (const { version } of await source.states.versions(id)) {
          const address = `panels/${id}/?version=${version}`;
          const path = pathOf(addressOf('', address));
          if (path !== null && version !== now.version && isThere(path)) yield { path, body: null };
          else yield* pages(whole, '', address);
        }
    },
    /**
     * Panels with their entities in the signed-off versions.
     * @throws {NotRead} where the sign-offs were not read
     */
    async *signedOff() {
      yield* panels(await heldAt(panelsSignedOff(source)), 'signed-off/');
    },
    /**
     * Panels with their entities, their logs and signed-off panels, as they were at the end of a day of UTC.
     * @throws {NotRead} where that is unknown of a panel, or may still change
     */
    async *day(day: string) {
      const end = endOfDay(day);
      if (end === null) throw new NotRead(`there is no day ${day}`);
      const at = await heldAt(panelsAt(source, end));
      wholeOf(at.held);
      if (source.rows.lastKnownAt(end) === null)
        throw new NotRead(
          'the log has no row after that day yet, so a late row of that day may still appear',
        );
      yield* panels(at, `at/${day}/`);
      yield* logs(at, `at/${day}/`);
    },
  };
}
