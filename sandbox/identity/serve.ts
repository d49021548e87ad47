import { createAdaptorServer } from '@hono/node-server';

/** A server on this machine. */
export interface Served {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** Serves on 127.0.0.1, on a free port where none is given. What answers may need to know the address first. */
export async function serve(answering: (url: string) => Fetch, port = 0): Promise<Served> {
  let answer: Fetch = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request: Request) => answer(request) });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  answer = answering(url);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
