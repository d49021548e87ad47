import { fixedList, type PagedList, pageAsked, printJson } from '../../catalogue/http/listing.ts';
import type { VersionSummary } from '../../panels/version-state.ts';
import {
  type Detail,
  detailOf,
  NotRead,
  type PanelsThen,
  type RelaySource,
  type ShownPanel,
  type ShownPanels,
  signOffsAt,
  wholeOf,
  withoutEntities,
} from './shown-panels.ts';

/** The catalogue at the instant that an address names. */
export interface CatalogueThen {
  readonly source: RelaySource;
  readonly shown: ShownPanels;
  readonly held: PanelsThen;
}

interface Asked {
  readonly url: URL;
  /** The names in the path, in the order of the pattern. */
  readonly names: readonly string[];
}

/** An answer with status 200, or 404. */
export interface Resource {
  readonly status: 200 | 404 | 400;
  readonly body: string | Buffer;
  /** Of one panel: how well the answer is known. */
  readonly basis?: Pick<ShownPanel, 'readAt' | 'proof'>;
  /** It is the end of a version, which never changes. */
  readonly isFinal?: true;
  /** The log was not read past the day yet. */
  readonly mayGrow?: true;
  /** The address of the page after it. */
  readonly next?: string | null;
}

/** So many items have the pages of the catalogue. */
const PAGE_SIZE = 100;

const found = (value: unknown): Resource => ({ status: 200, body: printJson(value) });
export const notFound: Resource = { status: 404, body: printJson({ detail: 'Not found.' }) };
const refused = (detail: string): Resource => ({ status: 400, body: printJson({ detail }) });

const entityLists = ['genes', 'strs', 'regions'] as const;
type EntityList = (typeof entityLists)[number];
const isEntityList = (name: string): name is EntityList => entityLists.some((list) => list === name);

type Handler = (held: CatalogueThen, asked: Asked) => Promise<Resource>;

/**
 * The addresses under `/api/v1/`, most special first; `*` is a name. Source: docs/interfaces.md, "The catalogue", and "Panel
 * detail".
 */
export const resources: Readonly<Record<string, Handler>> = {
  'panels/': async ({ shown, held }, { url }) => {
    if (/^true$/i.test(url.searchParams.get('retired') ?? ''))
      return refused('retired panels are not kept; the public ones are, without "retired"');
    const types = listOf(url, 'type');
    const name = url.searchParams.get('name');
    const items = await itemsOf(shown, held);
    const named = name === null ? items : items.filter(({ version }) => isCalled(version, name));
    return paged(
      fixedList(
        'Panels List',
        named
          .filter(({ version }) => types === null || version.types.some((slug) => types.includes(slug)))
          .toSorted((one, other) => byName(one.version, other.version))
          .map(({ item }) => item),
      ),
      url,
    );
  },
  'panels/signedoff/': async (at, { url }) => {
    const asked = url.searchParams.get('panel_id');
    const signedOff = await signedOffPanels(at, asked);
    const results = signedOff.map(({ panel }) => withoutEntities(panel));
    return found({ count: results.length, next: null, previous: null, results });
  },
  'panels/signedoff/*/': async (at, { names: [key = ''] }) => {
    const panel = panelCalled(at.held, key);
    if (!panel) return notFound;
    const [signedOff] = await signedOffPanels(at, String(panel.panelId));
    return signedOff ? { ...found(signedOff.panel), basis: signedOff.shown } : notFound;
  },
  'panels/*/': async (at, { url, names: [key = ''] }) => {
    const shown = await askedPanel(at, key, url);
    if (!('basis' in shown)) return shown;
    if (url.searchParams.get('exclude_entities') !== 'True') return shown;
    return { ...shown, ...found(withoutEntities(detailOf(shown.body))) };
  },
  'panels/*/activities/': async (at, { names: [key = ''] }) => {
    const panel = panelCalled(at.held, key);
    if (!panel) return notFound;
    const { rows, ...log } = logThen(at, panel.panelId);
    return { ...log, status: 200, body: `[${at.source.rows.read(rows).join(',')}]` };
  },
  'panels/*/*/': async (at, { url, names: [key = '', list = ''] }) => {
    if (!isEntityList(list)) return notFound;
    const shown = await askedPanel(at, key, url);
    if (!('basis' in shown)) return shown;
    const panel = detailOf(shown.body);
    const inPanel = shown.isFinal ? {} : { panel: withoutEntities(panel) };
    const entities = entitiesIn(panel, list)
      .filter(entityFilter(url))
      // Those of a super panel name the panel that they come from.
      .map((entity) => ({ ...inPanel, ...entity }));
    return { ...paged(fixedList(list, entities), url), basis: shown.basis };
  },
  'activities/': async (at, { url }) => {
    const { rows, ...log } = logThen(at);
    // A notifier that has just begun published none.
    if (rows.length === 0) throw new NotRead('no row of the log was published by then');
    const items = (start: number, end: number) => at.source.rows.read(rows.slice(start, end));
    return { ...log, ...paged({ title: 'Activity List', count: rows.length, items }, url) };
  },
  'genes/': (at, asked) => search(at, asked, ['genes']),
  'genes/*/': (at, asked) => search(at, asked, ['genes']),
  'strs/': (at, asked) => search(at, asked, ['strs']),
  'strs/*/': (at, asked) => search(at, asked, ['strs']),
  'regions/': (at, asked) => search(at, asked, ['regions']),
  'regions/*/': (at, asked) => search(at, asked, ['regions']),
  'entities/': (at, asked) => search(at, asked, entityLists),
  'entities/*/': (at, asked) => search(at, asked, entityLists),
};

const patterns = Object.entries(resources).map(([pattern, handle]) => ({
  path: new RegExp(`^${pattern.replaceAll('*', '([^/]+)')}$`),
  handle,
}));

/**
 * What answers at an address under `/api/v1/`; undefined where nothing does.
 * @param path as in the address, with its last slash
 */
export function resourceAt(path: string): ((held: CatalogueThen, url: URL) => Promise<Resource>) | undefined {
  const found = patterns.find((pattern) => pattern.path.test(path));
  const [, ...names] = found?.path.exec(path) ?? [];
  return found && ((held, url) => found.handle(held, { url, names: names.map(decodeURIComponent) }));
}

/** The log as it was known at the instant: of a day that is over, without what it shows since. */
function logThen({ source: { rows }, held }: CatalogueThen, panelId?: number) {
  const upTo = held.isPresent ? null : rows.lastKnownAt(held.at);
  return {
    rows: rows.list({ until: held.at, upTo, ...(panelId !== undefined && { panelId }) }),
    ...(upTo === null && { mayGrow: true as const }),
  };
}

const listOf = (url: URL, name: string): readonly string[] | null =>
  url.searchParams.get(name)?.split(',') ?? null;

const paged = (list: PagedList, url: URL): Resource => {
  const page = pageAsked(list.count, url, PAGE_SIZE);
  if ('status' in page) return { ...notFound, body: page.body };
  return { status: 200, body: page.enclose(list.items(page.start, page.end)).body, next: page.next };
};

interface Item {
  readonly version: VersionSummary;
  readonly item: Detail;
}

/** What lists show at an instant, which each page of a list needs again. */
const itemsThen = new WeakMap<PanelsThen, Promise<readonly Item[]>>();

function itemsOf(shown: ShownPanels, held: PanelsThen): Promise<readonly Item[]> {
  const items =
    itemsThen.get(held) ??
    Promise.all(
      [...wholeOf(held).values()].map(async (version) => ({
        version,
        item: await shown.item(version, held.at),
      })),
    );
  itemsThen.set(held, items);
  // What is not kept may be later.
  items.catch(() => itemsThen.delete(held));
  return items;
}

/** Whether the catalogue finds a panel by its number or a name: a part of its own, its `hash_id`, or a disorder or code of it. */
const isCalled = (
  { panelId, panelName, hashId, relevantDisorders }: VersionSummary,
  name: string,
): boolean =>
  /^\d+$/.test(name)
    ? panelId === Number(name)
    : panelName.toLowerCase().includes(name.toLowerCase()) ||
      hashId === name ||
      relevantDisorders.includes(name);

const byName = (one: VersionSummary, other: VersionSummary): number =>
  one.panelName < other.panelName ? -1 : 1;

/**
 * The public panel of an id or name; undefined where there is none.
 * @throws {NotRead} where it may be one that was not read
 */
function panelCalled({ panels, unread }: PanelsThen, key: string): VersionSummary | undefined {
  const known = /^\d+$/.test(key)
    ? panels.get(Number(key))
    : [...panels.values()].toSorted(byName).find((version) => isCalled(version, key));
  if (known) return known;
  const why = /^\d+$/.test(key) ? unread.get(Number(key)) : [...unread.values()][0];
  if (why !== undefined) throw new NotRead(why);
  return undefined;
}

interface PanelAnswer extends Resource {
  readonly body: Buffer;
  readonly basis: NonNullable<Resource['basis']>;
}

/** The panel of an address: as it was at the instant, or at the end of the version that is asked for. */
async function askedPanel(
  { source, shown, held }: CatalogueThen,
  key: string,
  url: URL,
): Promise<PanelAnswer | Omit<Resource, 'basis'>> {
  const wanted = url.searchParams.get('version') ?? '';
  const answered = ({ body, ...basis }: ShownPanel) => ({ status: 200, body, basis }) as const;
  if (wanted === '') {
    const panel = panelCalled(held, key);
    return panel ? answered(await shown.current(panel, held.at)) : notFound;
  }
  if (!/^\d+\.\d+$/.test(wanted))
    return { ...notFound, body: printJson({ detail: 'Incorrect version supplied' }) };
  // Also of panels that are hidden by now.
  const id = /^\d+$/.test(key) ? Number(key) : panelCalled(held, key)?.panelId;
  const versions = id === undefined ? [] : await source.states.versions(id);
  const now = id === undefined ? undefined : held.panels.get(id);
  if (now?.version === wanted) return answered(await shown.current(now, held.at));
  const version = versions.findLast((one) => one.version === wanted && one.validFrom <= held.at);
  if (version) return { ...answered(await shown.archived(version)), isFinal: true };
  if (id !== undefined && mayHaveBeen(wanted, versions))
    throw new NotRead(`version ${wanted} of panel ${id} was not read`);
  return notFound;
}

function mayHaveBeen(wanted: string, versions: readonly VersionSummary[]): boolean {
  const numbers = (version: string): number => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major * 1e6 + minor;
  };
  return versions.some(({ version }) => numbers(version) > numbers(wanted));
}

const entitiesIn = (panel: Detail, list: EntityList): readonly Detail[] => {
  const entities = panel[list];
  return Array.isArray(entities) ? entities : [];
};

function entityFilter(url: URL): (entity: Detail) => boolean {
  const [names, tags] = [listOf(url, 'entity_name'), listOf(url, 'tags')];
  const level = url.searchParams.get('confidence_level');
  return ({ entity_name: name, confidence_level: own, tags: ownTags }) => {
    if (names && !names.includes(String(name))) return false;
    if (tags && !(Array.isArray(ownTags) && ownTags.some((tag) => tags.includes(tag)))) return false;
    if (level === null || level === '') return true;
    // 3 and 4 are both green.
    return Math.min(Number(own), 3) === Math.min(Number(level), 3);
  };
}

async function search(
  at: CatalogueThen,
  { url, names: [inPath] }: Asked,
  lists: readonly EntityList[],
): Promise<Resource> {
  const wanted = inPath?.split(',') ?? listOf(url, 'entity_name');
  const [types, panelNames] = [listOf(url, 'type'), listOf(url, 'panel_name')];
  const address = new URL(url);
  if (wanted) address.searchParams.set('entity_name', wanted.join(','));
  address.searchParams.delete('confidence_level');
  const isWanted = entityFilter(address);
  const entities: Detail[] = [];
  const own = entitiesThen(at, lists, {
    ofPanel: (version) =>
      (!types || version.types.some((slug) => types.includes(slug))) &&
      (!panelNames || panelNames.includes(version.panelName)),
    inBody: (body) => !wanted || wanted.some((name) => body.includes(JSON.stringify(name))),
  });
  for await (const entity of own) if (isWanted(entity)) entities.push(entity);
  return paged(fixedList('Entities', entities), url);
}

interface Looked {
  ofPanel(version: VersionSummary): boolean;
  inBody(body: Buffer): boolean;
}

async function* entitiesThen(
  { shown, held }: CatalogueThen,
  lists: readonly EntityList[],
  { ofPanel, inBody }: Looked,
): AsyncGenerator<Detail> {
  for (const version of wholeOf(held).values()) {
    if (!ofPanel(version)) continue;
    const { body } = await shown.current(version, held.at);
    if (!inBody(body)) continue;
    const panel = detailOf(body);
    const item = withoutEntities(panel);
    // What a super panel shows is an entity of the panel that it holds.
    for (const list of lists)
      for (const entity of entitiesIn(panel, list))
        if (entity.panel === undefined) yield { ...entity, panel: item };
  }
}

const MOST_ENTITIES = 5000;

/**
 * The answers of `genes/NAME/` for every name, page by page: the same as one by one, in a few readings of all panels.
 * @param urlOf the address of a name
 * @throws {NotRead} where a panel was not read
 */
export async function* everyGene(
  at: CatalogueThen,
  urlOf: (name: string) => URL,
): AsyncGenerator<{ readonly url: URL; readonly resource: Resource }> {
  const all: Looked = { ofPanel: () => true, inBody: () => true };
  const sizes = new Map<string, number>();
  const nameOf = ({ entity_name: name }: Detail): string => String(name);
  for await (const entity of entitiesThen(at, ['genes'], all))
    sizes.set(nameOf(entity), (sizes.get(nameOf(entity)) ?? 0) + 1);
  let slice = new Map<string, Detail[]>();
  let size = 0;
  const answered = async function* () {
    for await (const entity of entitiesThen(at, ['genes'], all)) slice.get(nameOf(entity))?.push(entity);
    for (const [name, entities] of slice)
      for (let url: URL | null = urlOf(name); url; ) {
        const resource = paged(fixedList('Entities', entities), url);
        yield { url, resource };
        url = resource.next ? new URL(resource.next) : null;
      }
    [slice, size] = [new Map(), 0];
  };
  for (const [name, count] of sizes) {
    if (size + count > MOST_ENTITIES && size > 0) yield* answered();
    slice.set(name, []);
    size += count;
  }
  yield* answered();
}

interface SignedOff {
  readonly panel: Detail;
  readonly shown: ShownPanel;
}

async function signedOffPanels(
  { source, shown, held }: CatalogueThen,
  only: string | null,
): Promise<readonly SignedOff[]> {
  const signedOff: SignedOff[] = [];
  for (const { panelId, state, why, date } of await signOffsAt(source, held)) {
    if (only !== null && only !== String(panelId)) continue;
    if (!state) throw new NotRead(why);
    const isCurrent = held.panels.get(panelId)?.version === state.version;
    const one = await (isCurrent ? shown.current(state, held.at) : shown.archived(state));
    signedOff.push({ panel: { ...detailOf(one.body), signed_off: date }, shown: one });
  }
  return signedOff;
}
