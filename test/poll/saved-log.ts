import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SavedLog {
  readonly url: string;
  readonly requests: string[];
  close(): Promise<void>;
}

/** Serves the saved pages of the log, and nothing else. */
export async function serveSavedLog(): Promise<SavedLog> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const address = new URL(request.url ?? '', 'http://127.0.0.1');
    const list = address.pathname.split('/')[3];
    const page = address.searchParams.get('page') ?? '1';
    const file = new URL(`../fixtures/catalogue/${list}-page-00${page}.json`, import.meta.url);
    try {
      const body = readFileSync(file);
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Invalid page."}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
