import { fixedList, type PagedList, printJson } from '../../lambdas/catalogue/http/listing.ts';
import { parseCreated } from '../software/values.ts';

/** The content of a catalogue. `panels` and `regions` give the present items. */
export interface Content {
  readonly feed: ActivityFeed;
  panels(): readonly unknown[];
  regions(): readonly unknown[];
  /** What the detail endpoints answer from; absent where they are missing. */
  readonly details?: PanelDetails;
}

/** A list for a request with this query. */
type ListFor = (query: URLSearchParams) => PagedList;

/**
 * The lists by the name in their address, without the items of hidden panels: the three of the specification and, where the
 * panels are served too, those of entities.
 *
 * @param isNewer whether the lists of entities find a gene by its HGNC id too
 */
export function listsOf(
  { feed, panels, regions, details }: Content,
  isNewer: boolean,
): Readonly<Record<string, ListFor>> {
  const visible = (panel: unknown): boolean => !feed.hidden.has(idOf(panel));
  const specified = {
    activities: () => feed,
    panels: () => fixedList('Panels List', panels().filter(visible)),
    regions: () =>
      fixedList(
        'Regions List',
        regions().filter((region) => visible(fieldOf(region, 'panel'))),
      ),
  };
  if (!details) return specified;
  const entityList =
    (name: EntityListName, title: string): ListFor =>
    (query) => {
      const all = entitiesOf(name, panels().filter(visible).map(idOf), details);
      return fixedList(title, namedIn(all, query, isNewer));
    };
  return {
    ...specified,
    genes: entityList('genes', 'Genes List'),
    strs: entityList('strs', 'STRs List'),
    entities: entityList('entities', 'Entities List'),
    // The region list of the specification may be a saved one: with a name, it is searched.
    regions: (query) =>
      query.has('entity_name') ? entityList('regions', 'Regions List')(query) : specified.regions(),
  };
}

function idOf(panel: unknown): number {
  return Number(fieldOf(panel, 'id'));
}

function fieldOf(item: unknown, field: string): unknown {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined;
}

/** Makes a row of the log. It is placed by its `created`, or by `otherwise` where that is not a time. */
export function feedRow(row: unknown, otherwise: number): FeedRow {
  const created = fieldOf(row, 'created');
  const at = typeof created === 'string' ? parseCreated(created) : undefined;
  return { at: at ?? otherwise, panelId: fieldOf(row, 'panel_id'), row };
}

const typesOf = {
  genes: ['genes'],
  strs: ['strs'],
  regions: ['regions'],
  entities: ['genes', 'strs', 'regions'],
} as const satisfies Readonly<Record<string, readonly (keyof Held)[]>>;
/** The lists of every entity of every public panel. */
type EntityListName = keyof typeof typesOf;

interface Held {
  readonly genes?: readonly object[];
  readonly strs?: readonly object[];
  readonly regions?: readonly object[];
}

/**
 * Every entity of the panels, each with its panel. A super panel adds none: what it lists belongs to the panels that it
 * holds. Source: docs/interfaces.md, "Lists of entities".
 *
 * @param ids of the public panels, in the order of the list
 */
function entitiesOf(list: EntityListName, ids: readonly number[], details: PanelDetails): readonly object[] {
  return ids.flatMap((id) => {
    const panel = details.present(id) as Held | undefined;
    if (!panel) return [];
    const listed = withoutEntities(panel);
    return typesOf[list]
      .flatMap((type) => panel[type] ?? [])
      .filter((entity) => !('panel' in entity))
      .map((entity) => ({ ...entity, panel: listed }));
  });
}

/**
 * The entities that `?entity_name=A,B` asks for; all without it.
 * @param byId whether a name may be an id, `HGNC:1100`: newer software only
 */
function namedIn(entities: readonly object[], query: URLSearchParams, byId: boolean): readonly object[] {
  const asked = query.get('entity_name');
  if (asked === null || asked === '') return entities;
  const names = new Set(asked.split(',').map((name) => name.trim()));
  return entities.filter((entity) => {
    const { entity_name: name, gene_data: gene } = entity as {
      readonly entity_name?: unknown;
      readonly gene_data?: { readonly hgnc_id?: unknown } | null;
    };
    return names.has(String(name)) || (byId && typeof gene?.hgnc_id === 'string' && names.has(gene.hgnc_id));
  });
}

/** A row with its time and panel. */
interface FeedRow {
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly panelId: unknown;
  readonly row: unknown;
}

/**
 * The order of rows with equal times: `redrawn` at each request, as the catalogue's database does it, or `fixed`, with the
 * row that was added last first.
 */
export type Ties = 'redrawn' | 'fixed';

/** The activity log: newest first by time, and by nothing else. */
export interface ActivityFeed extends PagedList {
  /** Adds rows. They appear where their times place them, possibly below rows that were served before. */
  add(rows: readonly FeedRow[]): void;
  /** Removes all rows of a panel, including those that are added later. */
  hide(panelId: number): void;
  /** Brings the rows of a panel back at their old places. */
  reveal(panelId: number): void;
  readonly hidden: ReadonlySet<number>;
  /** The rows of a panel as JSON, newest first. */
  ofPanel(panelId: number): readonly string[];
}

interface KeptRow {
  readonly at: number;
  readonly panelId: unknown;
  readonly json: string;
}

/** Creates an empty log. */
export function activityFeed(ties: Ties, random: () => number): ActivityFeed {
  /** Oldest first. */
  let rows: KeptRow[] = [];
  const hidden = new Set<number>();
  let visible: readonly KeptRow[] | undefined;

  const isHidden = ({ panelId }: KeptRow): boolean => typeof panelId === 'number' && hidden.has(panelId);
  const shown = (): readonly KeptRow[] => {
    visible ??= hidden.size === 0 ? rows : rows.filter((row) => !isHidden(row));
    return visible;
  };

  return {
    title: 'Activities List',
    hidden,
    get count() {
      return shown().length;
    },
    add(added) {
      const kept = added.map(({ at, panelId, row }) => ({ at, panelId, json: printJson(row) }));
      // Sorting keeps the order among equals, so that what comes later stays later.
      rows = [...rows, ...kept].sort((one, other) => one.at - other.at);
      visible = undefined;
    },
    hide(panelId) {
      hidden.add(panelId);
      visible = undefined;
    },
    reveal(panelId) {
      hidden.delete(panelId);
      visible = undefined;
    },
    ofPanel: (panelId) =>
      shown()
        .filter((row) => row.panelId === panelId)
        .map(({ json }) => json)
        .reverse(),
    items(start, end) {
      return cut(shown(), start, end, ties === 'redrawn' ? random : undefined).map(({ json }) => json);
    },
  };
}

/**
 * The rows from one index up to another, newest first. Where a boundary lies among rows of equal time, these are drawn
 * from all rows of that time, so that two pages may hold the same row and no page another.
 */
function cut(
  rows: readonly KeptRow[],
  start: number,
  end: number,
  random: (() => number) | undefined,
): readonly KeptRow[] {
  const newest = rows.length - 1;
  const at = (index: number): number | undefined => rows[newest - index]?.at;
  const stop = Math.min(end, rows.length);
  let from = start;
  let to = stop;
  while (from > 0 && at(from - 1) === at(from)) from -= 1;
  while (to < rows.length && at(to) === at(to - 1)) to += 1;
  const window = rows.slice(newest - to + 1, newest - from + 1).reverse();
  if (random) shuffleTies(window, random);
  return window.slice(start - from, stop - from);
}

function shuffleTies(rows: KeptRow[], random: () => number): void {
  let start = 0;
  for (let end = 1; end <= rows.length; end += 1) {
    if (end < rows.length && rows[end]?.at === rows[start]?.at) continue;
    if (end - start > 1) rows.splice(start, end - start, ...shuffled(rows.slice(start, end), random));
    start = end;
  }
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** What a catalogue serves beyond its lists: each panel with its entities, its versions, and what is signed off. */
export interface PanelDetails {
  /** The number of the panel with this number or `hash_id`; null where there never was one. */
  panelId(key: string): number | null;
  /** The panel with its entities; undefined where it is not public. */
  present(id: number): object | undefined;
  /** What the panel held at the end of a version, also of a panel that is hidden or deleted; undefined where none is kept. */
  version(id: number, version: string): object | undefined;
  /** The names of those who reviewed an entity of a public panel; undefined where the panel does not hold it. */
  reviewers(id: number, type: EntityList, name: string): readonly string[] | undefined;
  /** One entry for each sign-off of a public panel, oldest first within a panel. */
  signOffs(): readonly SignedOffVersion[];
}

/** The part of a panel's address under which the entities of a type are. */
type EntityList = 'genes' | 'strs' | 'regions';

/** A version that was signed off. */
export interface SignedOffVersion {
  readonly panelId: number;
  /** The day that the form stated. */
  readonly day: string;
  /** The panel at that version, with its entities. */
  readonly panel: object;
}

/** The detail of a panel without its entities. */
function withoutEntities(panel: object): object {
  const { genes: _genes, strs: _strs, regions: _regions, ...rest } = panel as Record<string, unknown>;
  return rest;
}

/** Whether `/panels/signedoff/` lists every sign-off of a panel, or the last one alone. */
export type SignOffManner = 'every' | 'last';

/** The part of a catalogue that the detail endpoints answer from. */
interface DetailSource {
  readonly details: PanelDetails;
  readonly feed: ActivityFeed;
  readonly signOffs: SignOffManner;
  /** Whether `exclude_entities` is known; older software ignores it. */
  readonly excludesEntities: boolean;
}

/** Status, type and body of a response. */
export interface DetailResponse {
  readonly status: number;
  readonly contentType?: string;
  readonly body: string;
}

/** What a request for a panel, a version, the sign-offs or a panel's rows gets. Source: docs/interfaces.md, "Panel detail". */
export function detailResponse(url: URL, source: DetailSource): DetailResponse {
  const [, , , , key = '', more, ...rest] = url.pathname.split('/').slice(0, -1);
  const [name, last, ...further] = rest;
  if (more !== undefined && name !== undefined && last === 'evaluations' && further.length === 0) {
    return evaluationsResponse(key, more, name, source);
  }
  if (rest.length > 0) return notFound;
  if (key === 'signedoff') return signedOffResponse(url, more, source);
  if (more === 'activities') return activitiesResponse(key, source);
  return more === undefined ? panelResponse(url, key, source) : notFound;
}

const found = (body: unknown): DetailResponse => ({ status: 200, body: printJson(body) });
const notFound: DetailResponse = { status: 404, body: printJson({ detail: 'Not found.' }) };
/** The server's own failure, which is no JSON. */
const serverError: DetailResponse = {
  status: 500,
  contentType: 'text/html',
  body: '<!doctype html>\n<html lang="en"><head><title>Server Error (500)</title></head><body><h1>Server Error (500)</h1></body></html>\n',
};

function panelResponse(url: URL, key: string, source: DetailSource): DetailResponse {
  const { details, feed, excludesEntities } = source;
  const version = url.searchParams.get('version');
  const id = details.panelId(key);
  const shorten = excludesEntities && url.searchParams.get('exclude_entities') === 'True';
  const show = (panel: object | undefined): DetailResponse =>
    panel ? found(shorten ? withoutEntities(panel) : panel) : notFound;
  if (version === null || version === '') {
    return id === null || feed.hidden.has(id) ? notFound : show(details.present(id));
  }
  if (id === null || !/^\d+\.\d+$/.test(version)) return serverError;
  return show(details.version(id, version));
}

function activitiesResponse(key: string, { details, feed }: DetailSource): DetailResponse {
  const id = details.panelId(key);
  if (id === null || feed.hidden.has(id) || !details.present(id)) return notFound;
  return { status: 200, body: `[${feed.ofPanel(id).join(',')}]` };
}

function evaluationsResponse(
  key: string,
  list: string,
  name: string,
  { details, feed }: DetailSource,
): DetailResponse {
  const id = details.panelId(key);
  if (id === null || feed.hidden.has(id) || !isEntityList(list)) return notFound;
  const reviewers = details.reviewers(id, list, decodeURIComponent(name));
  if (!reviewers) return notFound;
  const results = reviewers.map((user_name) => ({ user_name }));
  return found({ count: results.length, next: null, previous: null, results });
}

const isEntityList = (text: string): text is EntityList => ['genes', 'strs', 'regions'].includes(text);

function signedOffResponse(url: URL, key: string | undefined, source: DetailSource): DetailResponse {
  const { details, feed, signOffs } = source;
  const visible = details.signOffs().filter(({ panelId }) => !feed.hidden.has(panelId));
  if (key !== undefined) {
    const id = details.panelId(key);
    const last = visible.findLast(({ panelId }) => panelId === id);
    return last ? found(signedOffPanel(last)) : notFound;
  }
  const asked = url.searchParams.get('panel_id');
  const latest = signOffs === 'last' || url.searchParams.get('display') === 'latest';
  const results = visible
    .filter(
      ({ panelId }, index) => !latest || !visible.slice(index + 1).some((one) => one.panelId === panelId),
    )
    .filter(({ panelId }) => asked === null || String(panelId) === asked)
    .map((entry) => withoutEntities(signedOffPanel(entry)));
  return found({ count: results.length, next: null, previous: null, results });
}

function signedOffPanel({ panel, day }: SignedOffVersion): object {
  return { ...panel, signed_off: day };
}
