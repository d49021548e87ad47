import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { failure, open } from './fixtures/opened.ts';
import { row } from './fixtures/responses.ts';
import { serveRaw } from './fixtures/server.ts';

const list = JSON.stringify({ count: 1, next: null, previous: null, results: [row] });
const size = Buffer.byteLength(list);
const whole = `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${list}`;

/** Does something with each request of a socket, which may bring several. */
function eachRequest(socket: Socket, answer: (number: number) => void): void {
  let number = 0;
  socket.on('data', () => {
    number += 1;
    answer(number);
  });
}

const half = list.slice(0, 100);
const zipped = gzipSync(list).subarray(0, 60);
test.each<readonly [string, string, readonly (string | Buffer)[]]>([
  ['with Content-Length', 'TRUNCATED', [`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${half}`]],
  ['in chunks', 'TRUNCATED', [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n${half}\r\n`]],
  ['without any length', 'JSON_WRONG', [`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${half}`]],
  [
    'without any length, compressed',
    'TRUNCATED',
    [`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n`, zipped],
  ],
  ['in the headers', 'CONNECTION_LOST', ['HTTP/1.1 200 OK\r\nContent-Le']],
  ['before the first byte', 'CONNECTION_LOST', []],
])('a response that ends early, %s, is %s and retried', async (_, condition, sent) => {
  let connections = 0;
  const { url } = await serveRaw((socket, connection) => {
    connections = connection;
    eachRequest(socket, () => {
      for (const piece of sent) socket.write(piece);
      socket.end();
    });
  });
  const { catalogue, clock } = open(url);
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe(`CATALOGUE_${condition}`);
  expect(connections).toBe(4);
  expect(clock.sleeps).toEqual([500, 1000, 2000]);
});

test('a response that ends early once is read completely at the second attempt', async () => {
  const { url } = await serveRaw((socket, connection) =>
    eachRequest(socket, () => socket.end(connection === 1 ? whole.slice(0, -50) : whole)),
  );
  const { catalogue } = open(url);
  expect(await catalogue.activities(1)).toMatchObject({ rows: [row] });
  expect(catalogue.traffic).toMatchObject({ requests: 2, retries: 1 });
});

test('a connection that is reset when it is used again costs one retry', async () => {
  const { url } = await serveRaw((socket, connection) =>
    eachRequest(socket, (number) => {
      if (connection === 1 && number === 2) socket.resetAndDestroy();
      else socket.write(whole);
    }),
  );
  const { catalogue, clock } = open(url);
  expect(await catalogue.activities(1)).toMatchObject({ rows: [row] });
  expect(await catalogue.activities(2)).toMatchObject({ rows: [row] });
  expect(catalogue.traffic).toMatchObject({ requests: 3, retries: 1 });
  expect(clock.sleeps).toEqual([500]);
});

test('a request without a response is given up and retried', async () => {
  const { url } = await serveRaw((socket, connection) =>
    eachRequest(socket, () => connection === 2 && socket.write(whole)),
  );
  const { catalogue, log } = open(url, { limits: { headersMs: 50 } });
  expect(await catalogue.activities(1)).toMatchObject({ rows: [row] });
  expect(log.lines).toMatchObject([{ fields: { code: 'CATALOGUE_TIMED_OUT' } }]);
});

test('a body that stops is given up', async () => {
  const { url } = await serveRaw((socket) => eachRequest(socket, () => socket.write(whole.slice(0, -50))));
  const { catalogue } = open(url, { limits: { bodyMs: 50, retries: 0 } });
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_TIMED_OUT');
  expect(error.message).toContain('stopped in the middle');
});

test('a body that never ends is given up', async () => {
  const { url } = await serveRaw((socket) =>
    eachRequest(socket, () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n[');
      const trickle = setInterval(() => socket.write(' '), 5);
      socket.on('close', () => clearInterval(trickle));
    }),
  );
  const { catalogue } = open(url, { limits: { exchangeMs: 100, bodyMs: 1000, retries: 0 } });
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_TIMED_OUT');
  expect(error.message).toContain('after 100 ms');
});

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['headers without end', `HTTP/1.1 200 OK\r\n${'X-Filler: 0123456789\r\n'.repeat(2000)}\r\n`],
  ['a line that is no header', 'HTTP/1.1 200 OK\r\nno header\r\n\r\n'],
])('%s is not HTTP and is not retried', async (_, sent) => {
  let requests = 0;
  const { url } = await serveRaw((socket) =>
    eachRequest(socket, () => {
      requests += 1;
      socket.write(sent);
    }),
  );
  const error = await failure(open(url).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_NOT_HTTP');
  expect(requests).toBe(1);
});

test('errors of the transport hold no part of a response', async () => {
  const { url } = await serveRaw((socket) =>
    eachRequest(socket, () => socket.write('HTTP/1.1 200 OK\r\n{"access_token":"canary"}\r\n\r\n')),
  );
  const error = await failure(open(url).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_NOT_HTTP');
  expect(error.cause).toMatchObject({ message: expect.stringContaining('HTTP/1.1 protocol') });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
});
