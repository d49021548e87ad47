import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';

/** A bucket on this machine that answers the SDK as S3 does. */
export interface LocalBucket {
  readonly s3: S3Client;
  /** Its objects, by name. */
  readonly objects: Map<string, Buffer>;
  /** The headers that each object was put with. */
  readonly headers: Map<string, NodeJS.Dict<string | string[]>>;
  /** The requests that change objects: `PUT uk/relay.json`. */
  readonly changes: string[];
  /** Has the bucket answer no more, after so many changes more. */
  dieAfter(changes: number): void;
  close(): Promise<void>;
}

/** So many names are on a page of a list, rather than S3's 1,000. */
const PAGE = 50;

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescaped = (value: string): string =>
  value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

export async function startBucket(): Promise<LocalBucket> {
  const objects = new Map<string, Buffer>();
  const headers: LocalBucket['headers'] = new Map();
  const changes: string[] = [];
  let left = Number.POSITIVE_INFINITY;

  const listed = (query: URLSearchParams): string => {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const all = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
    const page = all.slice(0, PAGE);
    const next =
      all.length > PAGE
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    return `<ListBucketResult>${next}${page.map((name) => `<Contents><Key>${escaped(name)}</Key></Contents>`).join('')}</ListBucketResult>`;
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const name = decodeURIComponent(pathname).split('/').slice(2).join('/');
    const { method = '' } = request;
    const failed = (status: number, code: string): void =>
      void response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    const change = (what: string): boolean => {
      if (left <= 0) return false;
      left -= 1;
      changes.push(what);
      return true;
    };
    if (left <= 0) return void request.socket.destroy();
    if (method === 'GET' && name === '') return void response.writeHead(200).end(listed(searchParams));
    if (method === 'GET') {
      const body = objects.get(name);
      return body ? void response.writeHead(200).end(body) : failed(404, 'NoSuchKey');
    }
    if (method === 'PUT') {
      const body = await buffer(request);
      if (!change(`PUT ${name}`)) return void request.socket.destroy();
      objects.set(name, body);
      headers.set(name, request.headers);
      return void response.writeHead(200).end();
    }
    const removed = [...(await text(request)).matchAll(/<Key>([^<]*)<\/Key>/g)];
    for (const [, key = ''] of removed) {
      if (!change(`DELETE ${unescaped(key)}`)) return void request.socket.destroy();
      objects.delete(unescaped(key));
    }
    response.writeHead(200).end('<DeleteResult></DeleteResult>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const s3 = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  return {
    ...{ s3, objects, headers, changes },
    dieAfter(more) {
      left = more;
    },
    async close() {
      s3.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
