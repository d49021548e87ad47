import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = 100;

interface LogWithComments {
  readonly rows: number;
  /** One row in so many has a comment. */
  readonly every: number;
  /** How long each comment is, in UTF-16 units. */
  readonly length: number;
}

/** A letter that Latin-1 lacks makes the whole text take two bytes a letter in memory. */
const sentence = 'A family with three affected members – and a second one – was reported. ';

/** Serves a log of saved rows over and over, a second apart, of which some have long comments. It lists no panels. */
export async function serveLogWithComments({
  rows,
  every,
  length,
}: LogWithComments): Promise<{ readonly url: string; close(): void }> {
  const saved = [1, 2, 3].flatMap((page) => {
    const file = new URL(`../fixtures/catalogue/activities-page-00${page}.json`, import.meta.url);
    return (JSON.parse(readFileSync(file, 'utf8')) as { results: Record<string, unknown>[] }).results;
  });
  const newest = Date.UTC(2026, 0, 1);
  const comment = sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
  const rowAt = (index: number): object => ({
    ...saved[index % saved.length],
    created: new Date(newest - index * 1000).toISOString(),
    ...(index % every === 0 && { text: `Added comment: ${index} ${comment}` }),
  });
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const isLog = pathname.includes('/activities/');
    const page = Number(searchParams.get('page') ?? 1);
    const count = isLog ? rows : 0;
    const results = Array.from({ length: isLog ? PAGE : 0 }, (_, place) => rowAt((page - 1) * PAGE + place));
    const next = page * PAGE < count ? `http://127.0.0.1/api/v1/activities/?page=${page + 1}` : null;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ count, next, previous: null, results }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
