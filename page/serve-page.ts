import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import type { Access } from './access/access.ts';
import { loopbackAccess } from './access/loopback-access.ts';
import { answerRequests } from './answer-requests.ts';
import type { PageOptions } from './route-context.ts';

/** The page while it is served. */
export interface ServedPage {
  /** Its address on this machine: `http://127.0.0.1:7208/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where the page listens, and who may read. */
export interface Listening {
  /** 0 for a free one. */
  readonly port: number;
  /** An address of this machine; 127.0.0.1 where absent. */
  readonly host?: string | undefined;
  /** PEM, for HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Every user of this machine may read where absent. */
  readonly access?: Access | undefined;
  /** The name under which the users of this machine decide, where `access` is absent. */
  readonly as?: string | undefined;
}

/** A reader who takes nothing for so long is disconnected; a live stream sends something every 15 seconds. */
const IDLE_MS = 60_000;

/**
 * Serves the page.
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function servePage(
  options: Omit<PageOptions, 'signal'>,
  { port, host = '127.0.0.1', tls, as, access = loopbackAccess(as) }: Listening,
): Promise<ServedPage> {
  const closing = new AbortController();
  const answer = answerRequests({ ...options, signal: closing.signal }, access);
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
        closing.abort(new Error('the page is closed'));
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** The other end of the connection; empty where it has closed already. */
const remoteAddress = (bindings: unknown): string =>
  (bindings as { readonly incoming?: IncomingMessage }).incoming?.socket.remoteAddress ?? '';
