import { endOfDay, formatInstant, minutes } from '../../run/instant.ts';
import { type PanelsThen, panelsAt, panelsNow, panelsSignedOff, wholeOf } from './panels-then.ts';
import { type CatalogueThen, everyGene, type Resource, resourceAt } from './resources.ts';
import { createShownPanels, NotRead, originalOf, type RelaySource } from './shown-panels.ts';

/** An answer of the relay, as a file. */
export interface TreeFile {
  /** Below the folder of the tree, with `/` between names. */
  readonly path: string;
  /** Null where it never changes, and is there already. */
  readonly body: string | Buffer | null;
}

/** An answer that is not in a tree. */
export interface Missing {
  readonly address: string;
  /** A clause for people. */
  readonly why: string;
}

interface NowAsked {
  readonly versions: boolean;
  isThere(path: string): boolean;
}

/** What the relay of one catalogue answers, as files. What was not read is no file. */
export type CatalogueTree = Awaited<ReturnType<typeof openTree>>;

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
export async function openTree(source: RelaySource, origin: string) {
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
