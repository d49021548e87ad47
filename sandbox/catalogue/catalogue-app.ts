import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { type PagedList, pageOf, printJson } from '../../lambdas/catalogue/paged-list.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { ListFor } from './content.ts';
import { type SeenRequest, seenRequest } from './control-app.ts';
import { type FaultQueue, sendFault } from './faults.ts';
import { type DetailResponse, type DetailSource, detailResponse } from './panel-details.ts';

/** What the Node adaptor gives with a request. */
export interface NodeBindings {
  readonly outgoing: ServerResponse;
}

export interface CatalogueAppOptions {
  readonly clock: Clock;
  readonly lists: Readonly<Record<string, ListFor>>;
  /** Absent where the catalogue serves its lists alone. */
  readonly details?: DetailSource;
  readonly pageSize: number;
  readonly faults: FaultQueue;
  /** Called with each request before it is answered; its changes are part of the response. */
  readonly onRequest: (request: SeenRequest) => void | Promise<void>;
  /** Returns a response that refuses the request, or undefined. */
  readonly authorise: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Returns what is served in place of the right answer: a catalogue may lie. */
  readonly distort?: (url: URL, right: DetailResponse) => DetailResponse;
  /** Aborted when the catalogue closes. */
  readonly closing: AbortSignal;
}

const allowed = ['GET', 'HEAD', 'OPTIONS'];

/** Creates the routes of the three lists and of the panels under `/api/v1/`. Source: docs/interfaces.md, "The catalogue". */
export function catalogueApp(options: CatalogueAppOptions): Hono<{ Bindings: NodeBindings }> {
  const { clock, lists, details, pageSize, faults, onRequest, authorise, closing } = options;
  const { distort = (_url, right) => right } = options;
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
  const rightAnswer = (url: URL): DetailResponse => {
    const [, , , name = '', ...rest] = url.pathname.split('/');
    const list = rest.length === 1 ? lists[name]?.(url.searchParams) : undefined;
    if (list) return pageOf(list, url, pageSize);
    return details && name === 'panels'
      ? detailResponse(url, details)
      : { status: 404, body: printJson({ detail: 'Not found.' }) };
  };
  /** The response to a request that reads. */
  const answer = (url: URL): DetailResponse => distort(url, rightAnswer(url));

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
    const refusal = await authorise(raw);
    if (refusal) return refusal;
    return next();
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
