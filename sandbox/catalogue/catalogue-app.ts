import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { type FaultQueue, sendFault } from './faults.ts';
import { printJson } from './json.ts';
import { type PagedList, pageOf } from './paged-list.ts';
import { type SeenRequest, seenRequest } from './seen-requests.ts';

/** What the Node adaptor gives with a request. */
export interface NodeBindings {
  readonly outgoing: ServerResponse;
}

export interface CatalogueAppOptions {
  readonly clock: Clock;
  readonly lists: Readonly<Record<string, () => PagedList>>;
  readonly pageSize: number;
  readonly faults: FaultQueue;
  /** Called with each request before it is answered; its changes are part of the response. */
  readonly onRequest: (request: SeenRequest) => void | Promise<void>;
  /** Gives a response that refuses the request, or undefined. */
  readonly authorise: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Aborted when the catalogue closes. */
  readonly closing: AbortSignal;
}

const allowed = ['GET', 'HEAD', 'OPTIONS'];

/** Creates the routes of the three lists under `/api/v1/`. Source: docs/interfaces.md, "The catalogue". */
export function catalogueApp(options: CatalogueAppOptions): Hono<{ Bindings: NodeBindings }> {
  const { clock, lists, pageSize, faults, onRequest, authorise, closing } = options;
  const headers = (): Record<string, string> => ({
    'Content-Type': 'application/json',
    Vary: 'Accept, Origin, Cookie',
    Allow: allowed.join(', '),
    Date: new Date(clock.now()).toUTCString(),
  });
  const respond = (status: number, body: string, method = 'GET'): Response =>
    new Response(method === 'HEAD' ? null : body, {
      status,
      headers: { ...headers(), 'Content-Length': String(Buffer.byteLength(body)) },
    });
  const detail = (status: number, text: string): Response => respond(status, printJson({ detail: text }));

  const app = new Hono<{ Bindings: NodeBindings }>();

  app.use('/api/v1/*', async (context, next) => {
    const { raw, path } = context.req;
    await onRequest(seenRequest(raw, clock.now()));
    const fault = faults.next(path);
    if (fault) {
      const list = lists[path.split('/')[3] ?? ''];
      const correct = (): { status: number; body: string } =>
        list ? pageOf(list(), new URL(raw.url), pageSize) : { status: 404, body: '{}' };
      await sendFault(fault, context.env.outgoing, { correct, headers: headers(), clock, closing });
      return RESPONSE_ALREADY_SENT;
    }
    const refusal = await authorise(raw);
    if (refusal) return refusal;
    return next();
  });

  app.all('/api/v1/:list/', (context) => {
    const { raw } = context.req;
    const list = lists[context.req.param('list')]?.();
    if (!list) return detail(404, 'Not found.');
    if (!allowed.includes(raw.method)) return detail(405, `Method "${raw.method}" not allowed.`);
    if (raw.method === 'OPTIONS') return respond(200, optionsOf(list));
    const { status, body } = pageOf(list, new URL(raw.url), pageSize);
    return respond(status, body, raw.method);
  });

  app.all('/api/v1/:list', (context) => {
    const url = new URL(context.req.url);
    url.pathname += '/';
    return new Response(null, { status: 301, headers: { Location: url.pathname + url.search } });
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
