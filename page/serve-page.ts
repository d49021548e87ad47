import { createAdaptorServer } from '@hono/node-server';
import { answerRequests } from './answer-requests.ts';
import type { PageOptions } from './route-context.ts';

/** The page while it is served. */
export interface ServedPage {
  /** Its address: `http://127.0.0.1:7208/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** A reader who takes nothing for so long is disconnected; a live stream sends something every 15 seconds. */
const IDLE_MS = 60_000;

/**
 * Serves the page on 127.0.0.1.
 * @param port 0 for a free one
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function servePage(options: Omit<PageOptions, 'signal'>, port: number): Promise<ServedPage> {
  const closing = new AbortController();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: answerRequests({ ...options, signal: closing.signal }),
  });
  if ('timeout' in server) server.timeout = IDLE_MS;
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
