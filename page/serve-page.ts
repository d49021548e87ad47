import { createAdaptorServer } from '@hono/node-server';
import { isLoopback } from '../lambdas/http/loopback.ts';
import { createPage } from './page.ts';
import type { PageOptions } from './route-context.ts';

/** The page while it is served. */
export interface ServedPage {
  /** Its address: `http://127.0.0.1:7208/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** No other site may read the page, it requests nothing from one, and only its own files hold scripts and styles. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Answers a request of the page, or refuses it with the reason. The page has no passwords, so it answers under the names
 * of this machine only (a web site could otherwise point a name of its own here), and it changes nothing.
 */
export async function guarded(
  request: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const response = withHeaders(refusal(request) ?? (await answer(request)));
  return request.method === 'HEAD' ? new Response(null, response) : response;
}

function refusal(request: Request): Response | null {
  const host = request.headers.get('host') ?? '';
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!isLoopback(hostname)) {
    return text(
      421,
      `This page answers to 127.0.0.1 and localhost only; this request is for ${JSON.stringify(host.slice(0, 100))}.`,
    );
  }
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const response = text(405, `This page can be read only; ${request.method} is not possible.`);
  response.headers.set('allow', 'GET, HEAD');
  return response;
}

const text = (status: number, body: string): Response =>
  new Response(`${body}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

function withHeaders(response: Response): Response {
  const made = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers)) {
    if (!made.headers.has(name)) made.headers.set(name, value);
  }
  // The mail of an event is shown in a frame of the page.
  if (made.headers.get('content-security-policy')?.includes("frame-ancestors 'self'")) {
    made.headers.set('x-frame-options', 'SAMEORIGIN');
  }
  return made;
}

/**
 * Serves the page on 127.0.0.1.
 * @param port 0 for a free one
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function servePage(options: Omit<PageOptions, 'signal'>, port: number): Promise<ServedPage> {
  const closing = new AbortController();
  const app = createPage({ ...options, signal: closing.signal });
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request: Request) => guarded(request, (allowed) => app.fetch(allowed)),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/`,
    close: () =>
      new Promise((resolve) => {
        closing.abort(new Error('the page is closed'));
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
