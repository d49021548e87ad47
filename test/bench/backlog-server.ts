import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodiesOf } from './pages.ts';

/** A process of its own for the catalogue that a poll talks to: a long log. */
const bodies = bodiesOf(Number(process.argv[2]));
const server = createServer((request, response) => {
  const address = new URL(request.url ?? '', 'http://x');
  const page = Number(address.searchParams.get('page') ?? 1);
  const body = address.pathname.includes('/panels') ? noPanels : bodies[page - 1];
  response
    .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    .end(body ?? '{"detail":"Invalid page."}');
});
const noPanels = '{"count":0,"next":null,"previous":null,"results":[]}';
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.send?.({ catalogue: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
