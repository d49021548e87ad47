import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';

/** A catalogue on this machine, its log as the checks write it. */
export interface LocalCatalogue {
  readonly base: string;
  /** Adds rows to the log; it serves them newest first. */
  write(...rows: readonly Activity[]): void;
  /** Answers every request with this status from now on; 200 ends that. */
  answer(status: number): void;
  /** Lets in only who sends this Authorization header. */
  admit(authorization: string | undefined): void;
  stop(): void;
}

const PAGE = 100;

export async function startCatalogue(): Promise<LocalCatalogue> {
  const rows: Activity[] = [];
  let status = 200;
  let authorization: string | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', base);
    const page = Number(url.searchParams.get('page') ?? 1);
    const refused = authorization !== undefined && request.headers.authorization !== authorization;
    const found = url.pathname.endsWith('/activities/') ? rows.slice((page - 1) * PAGE, page * PAGE) : [];
    const beyond = page > 1 && found.length === 0;
    const code = refused ? 401 : status !== 200 ? status : beyond ? 404 : 200;
    response.writeHead(code, { 'content-type': 'application/json' });
    const more = page * PAGE < rows.length;
    const next = more ? `${base}activities/?page=${page + 1}` : null;
    const body = { count: rows.length, next, previous: null, results: found };
    response.end(JSON.stringify(code === 200 ? body : { detail: `HTTP ${code}` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://localhost:${typeof address === 'object' ? address?.port : ''}/api/v1/`;
  return {
    base,
    write: (...added) => {
      rows.push(...added);
      rows.sort((a, b) => b.created.localeCompare(a.created));
    },
    answer: (code) => {
      status = code;
    },
    admit: (header) => {
      authorization = header;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
