import { createAdaptorServer } from '@hono/node-server';
import { foreignRequest } from '../local-requests.ts';

/** A server on 127.0.0.1. */
interface Served {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Serves on 127.0.0.1, by default on a free port. `createHandler` gets the address. Requests that may come from a foreign
 * web page are refused with 403.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function serve(createHandler: (url: string) => Fetch, port = 0): Promise<Served> {
  let handler: Fetch = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request: Request) => {
      const reason = foreignRequest(request.method, (name) => request.headers.get(name));
      return reason === null ? handler(request) : Response.json({ detail: reason }, { status: 403 });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  handler = createHandler(url);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
