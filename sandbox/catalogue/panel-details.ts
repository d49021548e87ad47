import { printJson } from '../../lambdas/catalogue/paged-list.ts';
import type { ActivityFeed } from './activity-feed.ts';

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
export function withoutEntities(panel: object): object {
  const { genes: _genes, strs: _strs, regions: _regions, ...rest } = panel as Record<string, unknown>;
  return rest;
}

/** Whether `/panels/signedoff/` lists every sign-off of a panel, or the last one alone. */
export type SignOffManner = 'every' | 'last';

/** The part of a catalogue that the detail endpoints answer from. */
export interface DetailSource {
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
