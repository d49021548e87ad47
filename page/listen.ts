import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import type { PageOptions } from './route-context.ts';
import { type Access, loopbackAccess } from './sign-in/access.ts';

/** Where a server listens. */
export interface Place {
  /** 0 for a free one. */
  readonly port: number;
  /** An address of this machine; 127.0.0.1 where absent. */
  readonly host?: string | undefined;
  /** PEM, for HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** A server that listens. */
export interface Served {
  /** Its address on this machine: `http://127.0.0.1:7208/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** A reader who takes nothing for so long is disconnected, in milliseconds; a live stream sends something every 15 seconds. */
const IDLE_MS = 60_000;

/**
 * Serves what answers requests.
 * @param answer `from` is the other end of the connection; empty where it has closed already
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function listen(
  answer: (request: Request, connection: { readonly from: string }) => Promise<Response>,
  { port, host = '127.0.0.1', tls }: Place,
): Promise<Served> {
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    ...(tls && { createServer, serverOptions: tls }),
    fetch: (request, bindings) => answer(request, { from: remoteAddress(bindings) }),
  });
  if ('timeout' in server) server.timeout = IDLE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

const remoteAddress = (bindings: unknown): string =>
  (bindings as { readonly incoming?: IncomingMessage }).incoming?.socket.remoteAddress ?? '';

/** Where the page listens, and who may read. */
export interface Listening extends Place {
  /** Every user of this machine may read where absent. */
  readonly access?: Access | undefined;
  /** The name under which the users of this machine decide, where `access` is absent. */
  readonly as?: string | undefined;
}

/**
 * Serves the page.
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function servePage(
  options: Omit<PageOptions, 'signal'>,
  { as, access = loopbackAccess(as), ...place }: Listening,
): Promise<Served> {
  // A relay listens too, and answers no page.
  const { answerRequests } = await import('./answer-requests.ts');
  const closing = new AbortController();
  const page = await listen(answerRequests({ ...options, signal: closing.signal }, access), place);
  return {
    url: page.url,
    close: () => {
      closing.abort(new Error('the page is closed'));
      return page.close();
    },
  };
}
