import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { failure, open } from './fixtures/opened.ts';
import { body, json, page, row } from './fixtures/responses.ts';
import { type Handler, serve } from './fixtures/server.ts';

const list = JSON.stringify({ count: 1, next: null, previous: null, results: [row] });
const html = '<!DOCTYPE html><html><title>Down for maintenance</title></html>';
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

async function openWith(handler: Handler) {
  const { url, requests } = await serve(handler);
  return { ...open(url, { limits: { bodyBytes: 100_000, retries: 2 } }), requests };
}

test.each<readonly [string, string, Handler, string]>([
  ['a maintenance page', 'HTML', body(html, { 'content-type': 'text/html' }), 'a web page'],
  ['a web page that says it is JSON', 'HTML', body(`\n ${html}`), 'a web page'],
  ['an empty body', 'EMPTY', body(''), 'has no body'],
  ['a 204', 'EMPTY', (response) => void response.writeHead(204).end(), 'HTTP 204'],
  ['results that are an object', 'LIST_WRONG', page({ results: { 0: row } }), 'not a list'],
  ['results that are null', 'LIST_WRONG', page({ results: null }), 'not a list'],
  ['no results', 'LIST_WRONG', page({ results: undefined }), '"results" is missing'],
  ['a list without envelope', 'LIST_WRONG', json([row]), '"results" is missing'],
  ['null', 'LIST_WRONG', json(null), '"results" is missing'],
  ['a number', 'LIST_WRONG', json(7), '"results" is missing'],
  ['nesting 100,000 deep', 'JSON_TOO_DEEP', body(nested(50_000)), 'levels deep'],
  ['a row nested 33 deep', 'JSON_TOO_DEEP', body(`{"results":[${nested(33)}]}`), 'levels deep'],
  ['results twice', 'KEYS_REPEATED', body(list.replace('"count":1', '"results":[]')), 'twice'],
  ['a field of a row twice', 'KEYS_REPEATED', body(list.replace('{"cr', '{"text":"a","cr')), 'twice'],
  [
    'a field twice beside a text that looks like fields',
    'KEYS_REPEATED',
    body('{"results":[{"text":"\\":\\":","text" : ":","a\\\\":1,"b\\"":2}],"count"\n\t:1}'),
    'twice',
  ],
  ['a body larger than the limit', 'TOO_LARGE', body(`"${'x'.repeat(100_000)}"`), '100000 bytes'],
  [
    'a gzip bomb',
    'TOO_LARGE',
    body(gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }),
    'decompressed',
  ],
  [
    'nested encodings',
    'ENCODING_REFUSED',
    body(gzipSync(gzipSync(list)), { 'content-encoding': 'gzip, gzip' }),
    'only gzip was offered',
  ],
  [
    'five nested encodings',
    'ENCODING_REFUSED',
    (response) => {
      response.setHeader('content-encoding', ['gzip', 'br', 'deflate', 'gzip', 'gzip']);
      response.end(list);
    },
    'only gzip was offered',
  ],
  [
    'an encoding that was not offered: zstd',
    'ENCODING_REFUSED',
    body('(\xb5/\xfd', { 'content-encoding': 'zstd' }),
    '"zstd"',
  ],
  [
    'an encoding that was not offered: br',
    'ENCODING_REFUSED',
    body(brotliCompressSync(list), { 'content-encoding': 'br' }),
    '"br"',
  ],
  [
    'an encoding that was not offered: deflate',
    'ENCODING_REFUSED',
    body(deflateSync(list), { 'content-encoding': 'deflate' }),
    '"deflate"',
  ],
  [
    'a body that claims to be gzip and is not',
    'ENCODING_REFUSED',
    body(list, { 'content-encoding': 'gzip' }),
    'and is not',
  ],
])('%s is %s and not retried', async (_, condition, handler, reason) => {
  const { catalogue, requests } = await openWith(handler);
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe(`CATALOGUE_${condition}`);
  expect(error.message).toContain(reason);
  expect(requests).toHaveLength(1);
});

test.each([
  ['text', 'maintenance'],
  ['text with a tag in it', 'Down for <b>maintenance</b>'],
  ['incomplete JSON', list.slice(0, -20)],
  ['JSON with text after it', `${list}x`],
  ['a BOM in the wrong place', `{${'\uFEFF'}`],
])('%s is retried, then an error that quotes nothing of it', async (_, text) => {
  const { catalogue, requests } = await openWith(body(text));
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_JSON_WRONG');
  expect(error.message).toContain(`${Buffer.byteLength(text)} bytes`);
  expect(error.cause).toBeUndefined();
  expect(requests).toHaveLength(3);
});

test('a body announced as too large is not read, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const { catalogue } = await openWith((response) => {
    response.writeHead(200, { 'content-length': 1_000_000_000 });
    response.write('[');
    response.on('close', () => closed.resolve());
  });
  expect((await failure(catalogue.activities(1))).code).toBe('CATALOGUE_TOO_LARGE');
  await closed.promise;
});

describe('a page is read', () => {
  test.each<readonly [string, Handler]>([
    ['plain', body(list)],
    ['with any content type', body(list, { 'content-type': 'text/html' })],
    ['compressed', body(gzipSync(list), { 'content-encoding': 'gzip' })],
    ['compressed, by the old name of gzip', body(gzipSync(list), { 'content-encoding': ' X-GZIP ' })],
    ['encoded as identity', body(list, { 'content-encoding': 'identity' })],
    ['of exactly the largest size', body(list.padEnd(100_000 - Buffer.byteLength(list) + list.length))],
    ['with a BOM', body(`\uFEFF${list}`)],
    ['with blanks between', body(JSON.stringify(JSON.parse(list), null, 2).replaceAll('":', '" :'))],
    ['piece by piece', (response) => pieces(response, list)],
  ])('%s', async (_, handler) => {
    const { catalogue } = await openWith(handler);
    expect((await catalogue.activities(1))?.rows).toEqual([row]);
  });

  test('with texts that look like fields', async () => {
    const rows = ['": ', '{"text":"a","text":"b"}', '\\":', 'a"  :', ':'].map((text) => ({ ...row, text }));
    const { catalogue } = await openWith(page({ results: rows }));
    expect((await catalogue.activities(1))?.rows).toEqual(rows);
  });

  test('with a text of 1 MB', async () => {
    const rows = [{ ...row, text: '"\\\u0000: é😀\ud800'.repeat(100_000) }];
    const { url } = await serve(page({ results: rows }));
    const { catalogue } = open(url, { limits: { bodyBytes: 64_000_000 } });
    expect((await catalogue.activities(1))?.rows).toEqual(rows);
  });

  test('with bytes that are not UTF-8, which become U+FFFD and are logged', async () => {
    const bytes = Buffer.from(list.replace('NPHS1 as', 'NPHS1 \u00ff as'), 'latin1');
    const { catalogue, log } = await openWith(body(bytes));
    const [read] = (await catalogue.activities(1))?.rows ?? [];
    expect(read).toMatchObject({ text: 'Marked gene: NPHS1 \ufffd as ready' });
    expect(log.lines).toMatchObject([
      {
        level: 'warn',
        message: expect.stringContaining('not valid UTF-8'),
        fields: { action: /activities/ },
      },
    ]);
  });
});

function pieces(response: Parameters<Handler>[0], text: string): void {
  response.writeHead(200);
  for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
  response.end();
}
