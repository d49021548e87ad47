import type { AnswerKey, AnswerStore } from '../../panels/answer-store.ts';
import type { PanelStateStore } from '../../panels/panel-state-store.ts';
import { loadSignOffRecord } from '../../panels/trusted-list.ts';
import type { Proof, VersionSummary } from '../../panels/version-state.ts';
import { formatInstant, type Instant } from '../../run/instant.ts';
import { counted } from '../../run/text.ts';
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
export type ShownPanels = ReturnType<typeof createShownPanels>;

/** So many bytes of answers, and so many panels of lists, are held in memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ITEMS = 10_000;

/** Shows the panels of one catalogue from the answers that are kept; what was shown last is held in memory. */
export function createShownPanels(answers: Pick<AnswerStore, 'of' | 'read'>) {
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

  /**
   * A panel as it was shown while it had a version: by the last reading up to the instant, or else the first one after it, or else as
   * the version was at its end. Later readings change nothing of that.
   * @throws {NotRead} where no answer of the version is kept
   */
  const current = async (version: VersionSummary, at: Instant): Promise<ShownPanel> => {
    const key = await currentKey(version, at);
    return { body: await read(key, 'as current'), readAt: key.readAt, proof: version.proof.kind };
  };

  return {
    current,
    /**
     * As the catalogue answers where a version is asked for that has ended.
     * @throws {NotRead} where its archive was not read
     */
    async archived(version: VersionSummary): Promise<ShownPanel> {
      const key = (await answersFor(version)).findLast(({ source }) => source === 'archive');
      if (!key) throw notKept(version);
      return { body: await read(key, 'as received'), readAt: key.readAt, proof: version.proof.kind };
    },
    /** A panel as lists show it, without entities; as `current` otherwise. */
    async item(version: VersionSummary, at: Instant): Promise<Detail> {
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

function createCache<Value>(most: number, sizeOf: (value: Value) => number) {
  const kept = new Map<string, Value>();
  let size = 0;
  return {
    async get(name: string, make: () => Promise<Value>): Promise<Value> {
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

/** The public panels at an instant, each with the version that it had, by panel id. */
export interface PanelsThen {
  readonly at: Instant;
  /** Whether that is the last instant of which all is known. */
  readonly isPresent: boolean;
  readonly panels: ReadonlyMap<number, VersionSummary>;
  /** Panels of which it is unknown what they held, with the reason, a clause for people. */
  readonly unread: ReadonlyMap<number, string>;
}

/**
 * The panels at the last instant of which all is known that was read: where a panel has a version that has not been read yet, just
 * before it began.
 * @throws {NotRead} where the panels have not been listed yet
 */
export async function panelsNow({
  states,
  state,
}: Pick<RelaySource, 'states' | 'state'>): Promise<PanelsThen> {
  const listing = await state.listing();
  if (!listing) throw new NotRead('the panels of the catalogue have not been listed yet');
  const newest = new Map((await states.panels()).map((summary) => [summary.panelId, summary]));
  let at = listing.readAt;
  for (const [id, { versions }] of listing.panels) {
    const [listed] = versions;
    const read = newest.get(id);
    if (listed && read && read.version !== listed.version && read.validFrom < listed.at && listed.at <= at)
      at = listed.at - 1n;
  }
  const found: FoundPanel[] = [];
  for (const [id, { versions }] of [...listing.panels].sort(([one], [other]) => one - other)) {
    const read = newest.get(id);
    const then = read && read.validFrom > at ? versionAt(await states.versions(id), at) : read;
    const why = `panel ${id}, version ${versions[0]?.version ?? 'unknown'}, has not been read yet`;
    found.push([id, then ?? why]);
  }
  return panelsThen(found, { at, isPresent: true });
}

/** What a panel held; or why that is unknown, a clause for people. */
type FoundPanel = readonly [id: number, version: VersionSummary | string];

function panelsThen(found: readonly FoundPanel[], when: Pick<PanelsThen, 'at' | 'isPresent'>): PanelsThen {
  const [panels, unread] = [new Map<number, VersionSummary>(), new Map<number, string>()];
  for (const [id, version] of found)
    if (typeof version === 'string') unread.set(id, version);
    else panels.set(id, version);
  return { ...when, panels, unread };
}

/**
 * The panels at the end of a day, as `panelsNow` gives those of the present.
 * @param end the last instant of the day
 * @throws {NotRead} where the day is not read to its end, or lies before anything that was read
 */
export async function panelsAt(source: RelaySource, end: Instant): Promise<PanelsThen> {
  const now = await panelsNow(source);
  if (end > now.at)
    throw new NotRead(`the catalogue was read up to ${formatInstant(now.at)}; the day ends after that`);
  const known = await source.states.panels();
  const found: FoundPanel[] = [];
  const shown = await publicAt(source, end);
  for (const { panelId } of known) {
    const isPublic = shown.get(panelId) ?? now.panels.has(panelId);
    if (!isPublic) continue;
    const versions = await source.states.versions(panelId);
    const [first] = versions;
    const why =
      first !== undefined && end < first.validFrom
        ? `panel ${panelId} was read from version ${first.version} on, which began later`
        : `the version that panel ${panelId} had then was not read`;
    found.push([panelId, versionAt(versions, end) ?? why]);
  }
  found.push(...[...now.unread].filter(([id]) => shown.get(id) !== false));
  const then = panelsThen(found, { at: end, isPresent: false });
  if (then.panels.size === 0) throw new NotRead('nothing has been read for that day');
  return then;
}

/**
 * The panels that have a signed-off version, each as it was then: the one of the newest sign-off.
 * @throws {NotRead} where neither panels nor sign-offs were read
 */
export async function panelsSignedOff(source: RelaySource): Promise<PanelsThen> {
  const now = await panelsNow(source);
  const signedOff = await signOffsAt(source, now);
  const found = signedOff.map(({ panelId, state, why }) => [panelId, state ?? why] as const);
  return panelsThen(found, { at: now.at, isPresent: true });
}

/**
 * The newest sign-off of each public panel at an instant, by panel. Its state is undefined where the version has not been read yet; `why`
 * says so, a clause for people.
 * @throws {NotRead} where the list of sign-offs was not read
 */
export async function signOffsAt(
  { states, documents }: RelaySource,
  { at, isPresent, panels, unread }: PanelsThen,
) {
  if ((await loadSignOffRecord(documents)).readAt === 0)
    throw new NotRead('the list of signed-off versions has not been read yet');
  const all = await states.signOffs();
  // A list that was not read since shows what was read last.
  const until = isPresent ? null : at;
  if (until !== null && all.every(({ listedAt }) => listedAt > until))
    throw new NotRead('the list of signed-off versions was not read at that time');
  const listed = all.filter(
    ({ panelId, listedAt, removedAt }) =>
      (panels.has(panelId) || unread.has(panelId)) &&
      (until === null || listedAt <= until) &&
      (removedAt === null || (until !== null && until < removedAt)),
  );
  const last = new Map<number, (typeof listed)[number]>();
  for (const one of listed) {
    const before = last.get(one.panelId);
    if (!before || before.date <= one.date) last.set(one.panelId, one);
  }
  const newest = [...last.values()].sort((one, other) => one.panelId - other.panelId);
  return Promise.all(
    newest.map(async ({ panelId, version, date }) => ({
      panelId,
      date,
      state: (await states.versions(panelId)).findLast((one) => one.version === version),
      why: `version ${version} of panel ${panelId}, which is signed off, has not been read yet`,
    })),
  );
}

/** The version that a panel had at an instant, of those that were read; undefined where that is unknown. */
function versionAt(versions: readonly VersionSummary[], at: Instant): VersionSummary | undefined {
  const then = versions.findLast(({ validFrom }) => validFrom <= at);
  const isNewest = then === versions.at(-1);
  // The newest one is known to last by the listing that was read after the instant.
  return then && (then.validTo === null ? isNewest : at < then.validTo) ? then : undefined;
}

/** Which panels were public at an instant, where an event before or after it says so; by panel id. */
async function publicAt(
  { catalogue, history }: RelaySource,
  at: Instant,
): Promise<ReadonlyMap<number, boolean>> {
  const shown = new Map<number, boolean>();
  const types = ['panel.created', 'panel.published', 'panel.withdrawn', 'panel.deleted'] as const;
  for await (const { type, time, data } of history.find({
    catalogue,
    filter: { types: [...types] },
    order: 'oldest',
  })) {
    const id = data.panel?.id;
    if (typeof id !== 'number') continue;
    const begins = type === 'gene-panel.panel.created.v1' || type === 'gene-panel.panel.published.v1';
    const isBefore = time !== undefined && time <= formatInstant(at);
    if (isBefore) shown.set(id, begins);
    // The first event after it says what the panel was not before.
    else if (!shown.has(id)) shown.set(id, !begins);
  }
  return shown;
}

/**
 * Every public panel.
 * @throws {NotRead} where one of them was not read: a list without it would say that it is not there
 */
export function wholeOf({ panels, unread }: PanelsThen): ReadonlyMap<number, VersionSummary> {
  const [first, ...others] = unread.values();
  if (first === undefined) return panels;
  const more = others.length > 0 ? `, and ${counted(others.length, 'more panel')}` : '';
  throw new NotRead(`${first}${more}`);
}
