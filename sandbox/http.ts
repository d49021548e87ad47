import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import type { Certificate } from './tls/self-signed.ts';

/** Handles a request; `bindings` are those of the Node adaptor. */
type Handler = (request: Request, bindings: unknown) => Response | Promise<Response>;

interface ListenOptions {
  readonly port?: number | undefined;
  readonly tls?: Certificate | undefined;
}

interface Listening {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves on 127.0.0.1. Requests that may come from a foreign web page are refused with 403.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function listen(handle: Handler, { port = 0, tls }: ListenOptions): Promise<Listening> {
  const scheme = tls ? 'https' : 'http';
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    ...(tls && { createServer, serverOptions: tls }),
    fetch: (request, bindings) => {
      const reason = foreignRequest(request.method, (name) => request.headers.get(name), scheme);
      return reason === null ? handle(request, bindings) : Response.json({ detail: reason }, { status: 403 });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `${scheme}://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

type HeaderReader = (name: string) => string | null | undefined;

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Why a request may come from a web page that the user has open elsewhere, or null. The sandbox has no passwords, so it
 * answers only under its own host name (a page could otherwise point a name of its own here), and accepts no writing
 * request that a browser marks as cross-origin.
 */
export function foreignRequest(
  method: string,
  header: HeaderReader,
  scheme: 'http' | 'https' = 'http',
): string | null {
  const host = header('host') ?? '';
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!isLoopback(hostname)) {
    return `The sandbox answers to localhost only; this request is for the host ${JSON.stringify(host.slice(0, 100))}.`;
  }
  if (!writing.has(method)) return null;
  const origin = header('origin');
  const crossOrigin = origin !== null && origin !== undefined && origin !== `${scheme}://${host}`;
  const crossSite = header('sec-fetch-site') === 'cross-site';
  return crossOrigin || crossSite ? 'The sandbox accepts no cross-origin requests that write.' : null;
}

class BadBodyError extends Error {
  override readonly name = 'BadBodyError';
  readonly code = 'bad-body';
}

/** Reads a body as JSON. An empty one counts as an empty object. */
function readBody<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(text || '{}');
  } catch (cause) {
    throw new BadBodyError(`the body is not JSON: ${text.slice(0, 80)}`, { cause });
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BadBodyError(z.prettifyError(parsed.error), { cause: parsed.error });
}

/** A request that changes or shows a part of the sandbox: what it does, in words, and what does it and returns the answer. */
interface ControlRoute {
  readonly says: string;
  readonly answer: (context: Context) => object | Promise<object>;
}

/** A request with a body. */
export const withBody = <Schema extends z.ZodType>(
  says: string,
  schema: Schema,
  act: (body: z.output<Schema>) => object,
): ControlRoute => ({ says, answer: async ({ req }) => act(readBody(await req.text(), schema)) });

/**
 * The HTTP interface of the sandbox's own under `/sandbox/`. `GET /sandbox/` lists it.
 * @param routes by method and path, in which `<id>` is a number
 * @param statusOf the status of an error, for other bodies than bad ones
 */
export function controlRoutes(
  routes: Readonly<Record<`${'GET' | 'POST' | 'DELETE'} /sandbox/${string}`, ControlRoute>>,
  statusOf: (error: Error) => 400 | 409 | 500 = () => 500,
): Hono {
  const list: ControlRoute = {
    says: 'serves this list',
    answer: () => Object.fromEntries(all.map(([route, { says }]) => [route, says])),
  };
  const all = Object.entries({ 'GET /sandbox/': list, ...routes });
  const app = new Hono();
  for (const [route, { answer }] of all) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path.replace('<id>', ':id{\\d+}'), async (context) => context.json(await answer(context)));
  }
  app.onError((error, context) =>
    context.json({ error: error.message }, error instanceof BadBodyError ? 400 : statusOf(error)),
  );
  return app;
}
