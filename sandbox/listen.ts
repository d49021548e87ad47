import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { foreignRequest } from './local-requests.ts';
import type { Certificate } from './tls/self-signed.ts';

/** Handles a request; `bindings` are those of the Node adaptor. */
type Handler = (request: Request, bindings: unknown) => Response | Promise<Response>;

interface ListenOptions {
  /** A free one by default. */
  readonly port?: number | undefined;
  /** Serves over TLS with this certificate. */
  readonly tls?: Certificate | undefined;
}

/** A server on 127.0.0.1. */
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
