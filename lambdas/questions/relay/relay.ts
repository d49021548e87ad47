import { hash } from 'node:crypto';
import { ORIGINAL_HEADER } from '../../catalogue/client.ts';
import { printJson } from '../../catalogue/http/listing.ts';
import { endOfDay, formatInstant, type Instant, instantOf, millisecondsOf } from '../../run/instant.ts';
import { capitalize } from '../../run/text.ts';
import { HistoryError } from '../../store/history/history.ts';
import { StateError } from '../../store/state-error.ts';
import { type CatalogueThen, notFound, type Resource, resourceAt, resources } from './resources.ts';
import {
  createShownPanels,
  NotRead,
  originalOf,
  type PanelsThen,
  panelsAt,
  panelsNow,
  panelsSignedOff,
  type RelaySource,
  type ShownPanels,
} from './shown-panels.ts';

interface RelayOptions {
  /** By the name under which each catalogue is served: those that are followed by now. */
  sources(): ReadonlyMap<string, RelaySource>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The address that clients use, where it is not that of their requests as they arrive: `https://relay.example.org`. */
  readonly origin?: string | undefined;
  /** Is given what the client is not: why the store cannot be read. */
  onUnreadable(error: StateError | HistoryError): void;
}

const RETRY_SECONDS = 60;
/** What a catalogue holds now is found out once in so many milliseconds. */
const NOW_MS = 1000;
const MOST_DAYS = 20;

const methods = ['GET', 'HEAD', 'OPTIONS'];

type Moment =
  | { readonly kind: 'now' | 'signed-off' }
  | { readonly kind: 'day'; readonly day: string; readonly end: Instant };

interface Address {
  readonly source: RelaySource;
  readonly moment: Moment;
  /** What follows `/api/v1/`. */
  readonly resource: string;
}

/**
 * Answers as the catalogues do, from what is kept of them: under `/NAME/api/v1/` as they are now, under `/NAME/at/DAY/api/v1/` as
 * they were at the end of a day of UTC, under `/NAME/signed-off/api/v1/` with the signed-off versions. What was not read is 503
 * with the reason. Source: docs/guides/relay.md.
 */
export function createRelay({
  sources,
  now,
  origin,
  onUnreadable,
}: RelayOptions): (request: Request) => Promise<Response> {
  const shown = new WeakMap<RelaySource, ShownPanels>();
  const present = new Map<string, { readonly until: number; readonly then: Promise<PanelsThen> }>();
  const days = new Map<string, PanelsThen>();
  const originals = new Map<RelaySource, string>();
  const original = async (source: RelaySource): Promise<string | null> => {
    const known = originals.get(source) ?? (await originalOf(source));
    if (known !== null) originals.set(source, known);
    return known;
  };

  const panelsThen = async (source: RelaySource, moment: Moment): Promise<PanelsThen> => {
    if (moment.kind === 'day') {
      const name = `${source.catalogue} ${moment.day}`;
      const then = days.get(name) ?? (await panelsAt(source, moment.end));
      // A day of which something was not read may be known later.
      if (then.unread.size === 0) days.set(name, then);
      if (days.size > MOST_DAYS) days.delete([...days.keys()][0] ?? '');
      return then;
    }
    const name = `${source.catalogue} ${moment.kind}`;
    const known = present.get(name);
    if (known && now() < known.until) return known.then;
    const then = moment.kind === 'now' ? panelsNow(source) : panelsSignedOff(source);
    present.set(name, { until: now() + NOW_MS, then });
    then.catch(() => present.delete(name));
    return then;
  };

  const answer = async (request: Request, url: URL): Promise<Response> => {
    const followed = sources();
    if (url.pathname === '/') return respond(request, { ...root(url, [...followed.keys()]), moment: null });
    const address = addressOf(url.pathname, followed);
    if (typeof address === 'string') return failure(404, address);
    if (!url.pathname.endsWith('/'))
      return new Response(null, { status: 301, headers: { location: `${url.pathname}/${url.search}` } });
    if (!methods.includes(request.method))
      return failure(405, `Method "${request.method}" not allowed.`, { allow: methods.join(', ') });
    const { source, moment, resource } = address;
    const found = resourceAt(resource);
    if (resource !== '' && !found) return respond(request, { ...notFound, moment: null });
    if (request.method === 'OPTIONS') return respond(request, { ...options(resource), moment: null });
    if (!found) return respond(request, { ...api(url), moment: null });
    if (moment.kind === 'day' && moment.end >= instantOf(now()))
      return failure(404, `${moment.day} is not over; days before it are served`);
    const panels = shown.get(source) ?? createShownPanels(source.answers);
    shown.set(source, panels);
    const at: CatalogueThen = {
      source,
      shown: panels,
      held: await panelsThen(source, moment),
    };
    const asked = await found(at, url);
    return respond(request, { ...asked, moment, at: at.held.at, original: await original(source) });
  };

  return async (request) => {
    try {
      const { origin: own, pathname, search } = new URL(request.url);
      return await answer(request, new URL(`${pathname}${search}`, origin ?? own));
    } catch (error) {
      const later = { 'retry-after': String(RETRY_SECONDS) };
      if (error instanceof NotRead) return failure(503, `${capitalize(error.message)}.`, later);
      // Its message names files, which are nothing for strangers.
      if (error instanceof StateError || error instanceof HistoryError) {
        onUnreadable(error);
        return failure(503, 'What is kept of the catalogue cannot be read at the moment.', later);
      }
      if (error instanceof URIError) return failure(400, 'A name in the address is not encoded as UTF-8.');
      throw error;
    }
  };
}

function addressOf(path: string, sources: ReturnType<RelayOptions['sources']>): Address | string {
  const match = /^\/([^/]+)(?:\/at\/([^/]+)|\/(signed-off))?\/api\/v1(?:\/(.*))?$/.exec(path);
  const names = [...sources.keys()];
  const expected = `Expected /${names[0] ?? 'NAME'}/api/v1/, /${names[0] ?? 'NAME'}/at/2026-01-31/api/v1/ or /${names[0] ?? 'NAME'}/signed-off/api/v1/.`;
  if (!match) return expected;
  const [, name = '', day, signedOff, resource = ''] = match;
  const source = sources.get(name);
  if (!source) return `There is no such catalogue here. There is ${names.join(', ') || 'none yet'}.`;
  const end = day === undefined ? undefined : endOfDay(day);
  if (end === null) return `There is no such day. ${expected}`;
  const moment: Moment =
    day !== undefined && end !== undefined
      ? { kind: 'day', day, end }
      : { kind: signedOff === undefined ? 'now' : 'signed-off' };
  return { source, moment, resource: resource === '' || resource.endsWith('/') ? resource : `${resource}/` };
}

const root = (url: URL, names: readonly string[]): Resource => ({
  status: 200,
  body: printJson(
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          now: `${url.origin}/${name}/api/v1/`,
          at: `${url.origin}/${name}/at/YYYY-MM-DD/api/v1/`,
          'signed-off': `${url.origin}/${name}/signed-off/api/v1/`,
        },
      ]),
    ),
  ),
});

const api = ({ origin, pathname }: URL): Resource => ({
  status: 200,
  body: printJson(
    Object.fromEntries(
      Object.keys(resources)
        .filter((pattern) => /^\w+\/$/.test(pattern))
        .map((pattern) => [pattern.slice(0, -1), `${origin}${pathname}${pattern}`]),
    ),
  ),
});

const options = (resource: string): Resource => ({
  status: 200,
  body: printJson({
    name: resource.split('/')[0] ?? '',
    description: '',
    renders: ['application/json'],
    parses: ['application/json'],
  }),
});

const common = {
  'content-type': 'application/json',
  'accept-ranges': 'none',
  vary: 'Accept',
  allow: methods.join(', '),
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

const failure = (status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(printJson({ detail }), {
    status,
    headers: { ...common, 'cache-control': 'no-store', ...headers },
  });

interface Answered extends Resource {
  readonly moment: Moment | null;
  /** The instant of which the catalogue is shown. */
  readonly at?: Instant;
  readonly original?: string | null;
}

/** What never changes is kept by caches for a year. */
const FOR_EVER = 'public, max-age=31536000, immutable';

function respond(request: Request, answered: Answered): Response {
  const { status, body, basis, isFinal, mayGrow, moment, at, original } = answered;
  const bytes = Buffer.from(body);
  const digest = hash('sha256', bytes, 'base64');
  const tag = `"${digest}"`;
  const isFixed = status === 200 && (isFinal === true || moment?.kind === 'day') && !mayGrow;
  const headers = {
    ...common,
    etag: tag,
    'content-digest': `sha-256=:${digest}:`,
    'cache-control': isFixed ? FOR_EVER : 'no-cache',
    ...(original && { [ORIGINAL_HEADER]: original }),
    ...(at !== undefined && { 'relay-as-of': formatInstant(at) }),
    ...(basis && {
      'last-modified': new Date(millisecondsOf(basis.readAt)).toUTCString(),
      'relay-read-at': formatInstant(basis.readAt),
      'relay-proof': basis.proof,
    }),
  };
  const known = request.headers.get('if-none-match')?.split(/\s*,\s*/) ?? [];
  if (status === 200 && (known.includes(tag) || known.includes('*') || known.includes(`W/${tag}`)))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : bytes, {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
  });
}
