import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bodiesOf } from './pages.ts';

interface BacklogServer {
  readonly catalogue: string;
  close(): void;
}

/** Starts a catalogue with a long log, in a process of its own. With a length, every tenth row ends with such a comment. */
export async function startBacklogServer(rows: number, commentLength = 0): Promise<BacklogServer> {
  const server = fork(fileURLToPath(import.meta.url), [String(rows), String(commentLength)]);
  const [{ catalogue }] = await once(server, 'message');
  return { catalogue, close: () => void server.kill() };
}

if (import.meta.main) {
  const bodies = bodiesOf(Number(process.argv[2]), Number(process.argv[3]));
  const noPanels = '{"count":0,"next":null,"previous":null,"results":[]}';
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://x');
    const page = Number(address.searchParams.get('page') ?? 1);
    const body = address.pathname.includes('/panels') ? noPanels : bodies[page - 1];
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      .end(body ?? '{"detail":"Invalid page."}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.send?.({ catalogue: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
