import type { AnswerKey, AnswerStore } from '../../panels/answer-store.ts';
import type { PanelStateStore } from '../../panels/panel-state-store.ts';
import type { Proof, VersionSummary } from '../../panels/version-state.ts';
import type { Instant } from '../../run/instant.ts';
import type { Documents } from '../../store/documents.ts';
import type { History } from '../../store/history/history.ts';
import type { KeptRows } from '../../store/history/kept-rows.ts';
import type { StateStore } from '../../store/store.ts';

/** A panel with its entities, as the catalogue answers. */
export type Detail = Readonly<Record<string, unknown>>;

/** A panel as the catalogue showed it, and how well that is known. */
export interface ShownPanel {
  readonly body: Buffer;
  readonly readAt: Instant;
  readonly proof: Proof['kind'];
}

/** Shows panels again as the catalogue showed them. */
export interface ShownPanels {
  /**
   * A panel as it was shown while it had a version: by the last reading up to the instant, or else the first one after it, or else as
   * the version was at its end. Later readings change nothing of that.
   * @throws {NotRead} where no answer of the version is kept
   */
  current(version: VersionSummary, at: Instant): Promise<ShownPanel>;
  /**
   * As the catalogue answers where a version is asked for that has ended.
   * @throws {NotRead} where its archive was not read
   */
  archived(version: VersionSummary): Promise<ShownPanel>;
  /** A panel as lists show it, without entities; as `current` otherwise. */
  item(version: VersionSummary, at: Instant): Promise<Detail>;
}

/** So many bytes of answers, and so many panels of lists, are held in memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ITEMS = 10_000;

/** Shows the panels of one catalogue from the answers that are kept; what was shown last is held in memory. */
export function createShownPanels(answers: Pick<AnswerStore, 'of' | 'read'>): ShownPanels {
  const bodies = createCache<Buffer>(MOST_BYTES, (body) => body.length);
  const items = createCache<Detail>(MOST_ITEMS, () => 1);

  const answersFor = async ({ panelId, version, validFrom }: VersionSummary): Promise<readonly AnswerKey[]> =>
    (await answers.of(panelId)).filter((one) => one.version === version && one.validFrom === validFrom);

  const read = async (key: AnswerKey, form: 'as received' | 'as current'): Promise<Buffer> =>
    bodies.get(`${nameOf(key)} ${form}`, async () => {
      const body = await answers.read(key);
      if (!body) throw notKept(key);
      if (key.source === 'present' || form === 'as received') return body;
      // An archive names the day of its sign-off, too.
      const { signed_off: _day, ...panel } = detailOf(body);
      return Buffer.from(JSON.stringify(panel));
    });

  const currentKey = async (version: VersionSummary, at: Instant): Promise<AnswerKey> => {
    const kept = await answersFor(version);
    const present = kept.filter(({ source }) => source === 'present');
    const until = present.findLast(({ readAt }) => readAt <= at);
    const chosen = until ?? present[0] ?? kept.findLast(({ source }) => source === 'archive');
    if (!chosen) throw notKept(version);
    return chosen;
  };

  const current: ShownPanels['current'] = async (version, at) => {
    const key = await currentKey(version, at);
    return { body: await read(key, 'as current'), readAt: key.readAt, proof: version.proof.kind };
  };

  return {
    current,
    async archived(version) {
      const key = (await answersFor(version)).findLast(({ source }) => source === 'archive');
      if (!key) throw notKept(version);
      return { body: await read(key, 'as received'), readAt: key.readAt, proof: version.proof.kind };
    },
    async item(version, at) {
      const key = await currentKey(version, at);
      return items.get(nameOf(key), async () => withoutEntities(detailOf(await read(key, 'as current'))));
    },
  };
}

/** What was parsed last: the lists of a panel, and their pages, are mostly asked for one after the other. */
let last: { readonly body: Buffer; readonly detail: Detail } | null = null;

/** What is kept is what the catalogue answered, and was read as a panel before. */
export function detailOf(body: Buffer): Detail {
  if (last?.body !== body) last = { body, detail: JSON.parse(String(body)) };
  return last.detail;
}

/** The detail of a panel as lists show it. */
export function withoutEntities(panel: Detail): Detail {
  const { genes: _genes, strs: _strs, regions: _regions, ...rest } = panel;
  return rest;
}

const nameOf = ({ panelId, version, validFrom, source, readAt }: AnswerKey): string =>
  `${panelId} ${version} ${validFrom} ${source} ${readAt}`;

const notKept = ({ panelId, version }: Pick<AnswerKey, 'panelId' | 'version'>): NotRead =>
  new NotRead(`what the catalogue answered for version ${version} of panel ${panelId} is not kept`);

interface Cache<Value> {
  get(name: string, make: () => Promise<Value>): Promise<Value>;
}

function createCache<Value>(most: number, sizeOf: (value: Value) => number): Cache<Value> {
  const kept = new Map<string, Value>();
  let size = 0;
  return {
    async get(name, make) {
      const value = kept.get(name) ?? (await make());
      if (kept.delete(name)) size -= sizeOf(value);
      kept.set(name, value);
      size += sizeOf(value);
      for (const [oldest, gone] of kept) {
        if (size <= most || kept.size === 1) break;
        kept.delete(oldest);
        size -= sizeOf(gone);
      }
      return value;
    },
  };
}

/** What the relay of one catalogue answers from: it asks the catalogue for nothing, and writes nothing. */
export interface RelaySource {
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, 'versions' | 'panels' | 'signOffs'>;
  readonly answers: Pick<AnswerStore, 'of' | 'read'>;
  readonly documents: Documents;
  readonly state: Pick<StateStore, 'listing'>;
  readonly history: Pick<History, 'find' | 'coverage'>;
  readonly rows: KeptRows;
}

/** The address of the catalogue that a relay serves: the source of its events; null before the first one. */
export async function originalOf({ catalogue, history }: RelaySource): Promise<string | null> {
  for await (const { source } of history.find({ catalogue, limit: 1 })) return source;
  return null;
}

/** What was asked for was not read, so that nothing is known of it; the message is for the client. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
}
