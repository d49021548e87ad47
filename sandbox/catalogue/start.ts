import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { type PagedList, pageOf, printJson } from '../../lambdas/catalogue/http/listing.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { type Certificate, serve } from '../http.ts';
import type { CodeLine } from '../software/state.ts';
import { renderCreated, seededRandom, type Zone } from '../software/values.ts';
import {
  type ActivityFeed,
  activityFeed,
  type Content,
  type DetailResponse,
  detailResponse,
  feedRow,
  listsOf,
  type PanelDetails,
  type SignOffManner,
  type Ties,
} from './content.ts';
import {
  type CatalogueControl,
  CatalogueControlError,
  controlApp,
  type FaultQueue,
  faultQueue,
  type SeenRequest,
  seenRequest,
  sendFault,
} from './control-app.ts';
import { createMadeUpCatalogue, type MadeUpCatalogue } from './made-up.ts';
import { readSavedPages, type SavedDetails, savedDetails } from './saved-pages.ts';

export interface CatalogueOptions {
  /** The source of time. Random choices come from `seed`. */
  readonly clock: Clock;
  /** A directory of saved pages to serve. Without it and without `lists`, the catalogue is made up. */
  readonly from?: string;
  /** Items to serve instead of saved pages. */
  readonly lists?: {
    readonly activities?: readonly unknown[];
    readonly panels?: readonly unknown[];
    readonly regions?: readonly unknown[];
    /** What each panel holds and held; absent where only the lists are served. */
    readonly details?: SavedDetails;
  };
  /** Whether panels, their versions and the sign-offs are served besides the lists; `served` by default. */
  readonly details?: 'served' | 'none';
  /** Whether `/panels/signedoff/` lists every sign-off of a panel or the last one alone (the default). */
  readonly signOffs?: SignOffManner;
  /** The same seed and clock give the same catalogue. 1 by default. */
  readonly seed?: number;
  /** The catalogue whose texts are written: PanelApp Australia (`au`, the default) or the UK code of 2019. */
  readonly codeLine?: CodeLine;
  /** The time zone of the rows' times; `utc` by default. */
  readonly zone?: Zone;
  readonly history?: number;
  /** Curators act again and again, after a random number of milliseconds between the two. By default none acts. */
  readonly actEvery?: readonly [least: number, most: number];
  readonly port?: number;
  readonly tls?: Certificate | undefined;
  readonly pageSize?: number;
  readonly ties?: Ties;
  /** Returns a response that refuses a request to `/api/v1/`, or undefined. By default every request may read. */
  readonly authorise?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Returns what is served in place of the right answer: a catalogue may lie. */
  readonly distort?: (url: URL, right: DetailResponse) => DetailResponse;
  /** Called before each request is answered. */
  readonly onRequest?: (request: SeenRequest) => void | Promise<void>;
}

/** A catalogue that is served, and the control over it. */
export interface RunningCatalogue extends CatalogueControl {
  /** The address of the API: `http://127.0.0.1:<port>/api/v1/`. */
  readonly url: string;
  /** What each panel holds and held, as the detail endpoints serve it; absent where they serve nothing. */
  readonly details?: PanelDetails;
  close(): Promise<void>;
}

const requestsKept = 10_000;

/**
 * Starts a catalogue on 127.0.0.1 that behaves as the real one does.
 *
 * @throws {SavedPagesError} when the saved pages cannot be served
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startCatalogue(options: CatalogueOptions): Promise<RunningCatalogue> {
  const { clock, seed = 1, zone = 'utc' } = options;
  const random = seededRandom(seed);
  const feed = activityFeed(options.ties ?? 'redrawn', seededRandom(seed + 1));
  const { content, madeUp } = await contentFor(options, feed, random);
  const faults = faultQueue();
  const requests: SeenRequest[] = [];
  const closing = new AbortController();
  let listener = options.onRequest;

  const control: CatalogueControl = {
    addRows(rows, { lateMs = 0 } = {}) {
      const now = (clock.now() - lateMs) * 1000;
      const stamped = rows.map((row, index) => {
        const at = Math.round(now) + index;
        return feedRow('created' in row ? row : { created: renderCreated(at, zone), ...row }, at);
      });
      feed.add(stamped);
    },
    hidePanel: (id) => feed.hide(id),
    revealPanel: (id) => feed.reveal(id),
    act(what) {
      if (madeUp) return madeUp.act(what);
      throw new CatalogueControlError(
        'Saved pages have no curators. Start the catalogue without them, or add rows.',
      );
    },
    fail: (fault, scope) => faults.add(fault, scope),
    clearFaults: () => faults.clear(),
    requests,
    forgetRequests: () => {
      requests.length = 0;
    },
    onRequest: (next) => {
      listener = next;
    },
  };

  const app = catalogueApp(options, {
    content,
    faults,
    closing: closing.signal,
    async onRequest(request) {
      requests.push(request);
      if (requests.length > requestsKept) requests.shift();
      await listener?.(request);
    },
  });
  app.route('/', controlApp(control));

  const listening = await serve(
    () => (request, bindings) => app.fetch(request, bindings as NodeBindings),
    options,
  );
  const work = (async () => {
    if (!madeUp || !options.actEvery) return;
    const [least, most] = options.actEvery;
    while (!closing.signal.aborted) {
      try {
        await clock.sleep(least + random() * (most - least), closing.signal);
      } catch {
        return;
      }
      madeUp.actAtRandom();
    }
  })();

  return Object.assign(control, {
    url: `${listening.url}/api/v1/`,
    ...(content.details && { details: content.details }),
    async close() {
      closing.abort(new Error('the catalogue is closed'));
      await work;
      await listening.close();
    },
  });
}

async function contentFor(
  { from, lists, clock, codeLine = 'au', zone = 'utc', history = 400, details = 'served' }: CatalogueOptions,
  feed: ActivityFeed,
  random: () => number,
): Promise<{ readonly content: Content; readonly madeUp?: MadeUpCatalogue }> {
  const given = from === undefined ? lists : await readSavedPages(from);
  if (!given) {
    const madeUp = createMadeUpCatalogue({ clock, random, codeLine, zone, history, feed });
    const { details: made, ...listed } = madeUp;
    return { content: details === 'served' ? { ...listed, details: made } : listed, madeUp };
  }
  const { activities = [], panels = [], regions = [] } = given;
  // Oldest first, so that among rows of equal time the one listed first counts as added last.
  feed.add(activities.map((row) => feedRow(row, clock.now() * 1000)).reverse());
  const saved = details === 'served' && given.details ? { details: savedDetails(given.details) } : {};
  return { content: { feed, panels: () => panels, regions: () => regions, ...saved } };
}

/** What the Node adaptor gives with a request. */
interface NodeBindings {
  readonly outgoing: ServerResponse;
}

interface CatalogueParts {
  readonly content: Content;
  readonly faults: FaultQueue;
  /** Called with each request before it is answered; its changes are part of the response. */
  readonly onRequest: (request: SeenRequest) => Promise<void>;
  readonly closing: AbortSignal;
}

const allowed = ['GET', 'HEAD', 'OPTIONS'];

/** Creates the routes of the lists and of the panels under `/api/v1/`. Source: docs/interfaces.md, "The catalogue". */
function catalogueApp(
  { clock, codeLine = 'au', signOffs = 'last', pageSize = 100, authorise, distort }: CatalogueOptions,
  { content, faults, onRequest, closing }: CatalogueParts,
): Hono<{ Bindings: NodeBindings }> {
  const { feed, details } = content;
  const lists = listsOf(content, codeLine === 'au');
  const listAt = ({ pathname, searchParams }: URL): PagedList | undefined => {
    const [, , , name = '', ...rest] = pathname.split('/');
    return rest.length === 1 ? lists[name]?.(searchParams) : undefined;
  };
  const rightAnswer = (url: URL): DetailResponse => {
    const list = listAt(url);
    if (list) return pageOf(list, url, pageSize);
    return details && url.pathname.split('/')[3] === 'panels'
      ? detailResponse(url, { feed, signOffs, details, excludesEntities: codeLine === 'au' })
      : { status: 404, body: printJson({ detail: 'Not found.' }) };
  };
  const answer = (url: URL): DetailResponse => {
    const right = rightAnswer(url);
    return distort ? distort(url, right) : right;
  };

  const headers = (): Record<string, string> => ({
    'Content-Type': 'application/json',
    Vary: 'Accept, Origin, Cookie',
    Allow: allowed.join(', '),
    Date: new Date(clock.now()).toUTCString(),
  });
  const respond = ({ status, contentType, body }: DetailResponse, method = 'GET'): Response =>
    new Response(method === 'HEAD' ? null : body, {
      status,
      headers: {
        ...headers(),
        ...(contentType && { 'Content-Type': contentType }),
        'Content-Length': String(Buffer.byteLength(body)),
      },
    });
  const detail = (status: number, text: string): Response =>
    respond({ status, body: printJson({ detail: text }) });

  const app = new Hono<{ Bindings: NodeBindings }>();

  app.use('/api/v1/*', async (context, next) => {
    const { raw, path } = context.req;
    await onRequest(seenRequest(raw, clock.now()));
    const fault = faults.next(path);
    if (fault) {
      const correct = (): DetailResponse => answer(new URL(raw.url));
      await sendFault(fault, context.env.outgoing, { correct, headers: headers(), clock, closing });
      return RESPONSE_ALREADY_SENT;
    }
    return (await authorise?.(raw)) ?? next();
  });

  app.all('/api/v1/*', (context) => {
    const { raw } = context.req;
    const url = new URL(raw.url);
    if (!url.pathname.endsWith('/')) {
      return new Response(null, { status: 301, headers: { Location: `${url.pathname}/${url.search}` } });
    }
    const name = url.pathname.split('/')[3] ?? '';
    const list = lists[name]?.(url.searchParams);
    if (!list) return detail(404, 'Not found.');
    if (!allowed.includes(raw.method)) return detail(405, `Method "${raw.method}" not allowed.`);
    if (raw.method === 'OPTIONS') return respond({ status: 200, body: optionsOf(list) });
    return respond(answer(url), raw.method);
  });

  app.notFound(() => detail(404, 'Not found.'));
  app.onError((error) => detail(500, error.message));
  return app;
}

function optionsOf({ title }: PagedList): string {
  return printJson({
    name: title,
    description: '',
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  });
}
