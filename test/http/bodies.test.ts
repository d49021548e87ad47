import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { body, json, page, row } from './fixtures/answers.ts';
import { failure, open } from './fixtures/opened.ts';
import { type Handler, serve } from './fixtures/server.ts';

const list = JSON.stringify({ count: 1, next: null, previous: null, results: [row] });
const html = '<!DOCTYPE html><html><title>Down for maintenance</title></html>';
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

async function answered(handler: Handler) {
  const { url, requests } = await serve(handler);
  const { catalogue } = open(url, { limits: { bodyBytes: 100_000, retries: 2 } });
  return { catalogue, requests };
}

test.each<readonly [string, string, Handler, string]>([
  ['fault 37: a maintenance page', 'HTML', body(html, { 'content-type': 'text/html' }), 'a web page'],
  ['fault 37: a web page that says it is JSON', 'HTML', body(`\n ${html}`), 'a web page'],
  ['fault 37: an empty body', 'EMPTY', body(''), 'has no body'],
  ['fault 37: a 204', 'EMPTY', (response) => void response.writeHead(204).end(), 'HTTP 204'],
  ['fault 41: results that are an object', 'LIST_WRONG', page({ results: { 0: row } }), 'no list'],
  ['fault 41: results that are null', 'LIST_WRONG', page({ results: null }), 'no list'],
  ['fault 41: no results', 'LIST_WRONG', page({ results: undefined }), 'no "results"'],
  ['fault 41: a list without envelope', 'LIST_WRONG', json([row]), 'no "results"'],
  ['fault 41: null', 'LIST_WRONG', json(null), 'no "results"'],
  ['fault 41: a number', 'LIST_WRONG', json(7), 'no "results"'],
  ['fault 41: nesting 100,000 deep', 'JSON_TOO_DEEP', body(nested(50_000)), 'levels deep'],
  ['fault 41: a row nested 33 deep', 'JSON_TOO_DEEP', body(`{"results":[${nested(33)}]}`), 'levels deep'],
  ['fault 41: results twice', 'KEYS_REPEATED', body(list.replace('"count":1', '"results":[]')), 'twice'],
  [
    'fault 41: a field of a row twice',
    'KEYS_REPEATED',
    body(list.replace('{"cr', '{"text":"a","cr')),
    'twice',
  ],
  [
    'fault 41: a field twice beside a text that looks like fields',
    'KEYS_REPEATED',
    body('{"results":[{"text":"\\":\\":","text" : ":","a\\\\":1,"b\\"":2}],"count"\n\t:1}'),
    'twice',
  ],
  ['fault 40: a body beyond the cap', 'TOO_LARGE', body(`"${'x'.repeat(100_000)}"`), '100000 bytes'],
  [
    'fault 40: a gzip bomb',
    'TOO_LARGE',
    body(gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }),
    'decompressed',
  ],
  [
    'fault 40: nested encodings',
    'ENCODING_REFUSED',
    body(gzipSync(gzipSync(list)), { 'content-encoding': 'gzip, gzip' }),
    'only gzip was offered',
  ],
  [
    'fault 40: five nested encodings',
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
    'what says that it is gzip and is not',
    'ENCODING_REFUSED',
    body(list, { 'content-encoding': 'gzip' }),
    'and is not',
  ],
])('%s is %s, asked for once', async (_, condition, handler, reason) => {
  const { catalogue, requests } = await answered(handler);
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe(`CATALOGUE_${condition}`);
  expect(error.message).toContain(reason);
  expect(requests).toHaveLength(1);
});

test.each([
  ['no JSON', 'maintenance'],
  ['no JSON with a tag in it', 'Down for <b>maintenance</b>'],
  ['JSON that breaks off', list.slice(0, -20)],
  ['JSON with something behind it', `${list}x`],
  ['a BOM in the wrong place', `{${'\uFEFF'}`],
])('fault 41: %s is asked for again, and then an error without a word of it', async (_, text) => {
  const { catalogue, requests } = await answered(body(text));
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_JSON_WRONG');
  expect(error.message).toContain(`${Buffer.byteLength(text)} bytes`);
  expect(error.cause).toBeUndefined();
  expect(requests).toHaveLength(3);
});

test('a body that is announced as too large is not read, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const { catalogue } = await answered((response) => {
    response.writeHead(200, { 'content-length': 1_000_000_000 });
    response.write('[');
    response.on('close', () => closed.resolve());
  });
  expect((await failure(catalogue.activities(1))).code).toBe('CATALOGUE_TOO_LARGE');
  await closed.promise;
});

describe('a page is read', () => {
  test.each<readonly [string, Handler]>([
    ['as it is', body(list)],
    ['whatever its content type says', body(list, { 'content-type': 'text/html' })],
    ['compressed', body(gzipSync(list), { 'content-encoding': 'gzip' })],
    ['compressed, by the old name', body(gzipSync(list), { 'content-encoding': ' X-GZIP ' })],
    ['encoded as identity', body(list, { 'content-encoding': 'identity' })],
    ['as long as the cap', body(list.padEnd(100_000 - Buffer.byteLength(list) + list.length))],
    ['with a BOM', body(`\uFEFF${list}`)],
    ['with blanks between', body(JSON.stringify(JSON.parse(list), null, 2).replaceAll('":', '" :'))],
    ['piece by piece', (response) => pieces(response, list)],
  ])('%s', async (_, handler) => {
    const { catalogue } = await answered(handler);
    expect((await catalogue.activities(1))?.rows).toEqual([row]);
  });

  test('with texts that look like fields', async () => {
    const rows = ['": ', '{"text":"a","text":"b"}', '\\":', 'a"  :', ':'].map((text) => ({ ...row, text }));
    const { catalogue } = await answered(page({ results: rows }));
    expect((await catalogue.activities(1))?.rows).toEqual(rows);
  });

  test('with a text of 10 MB', async () => {
    const rows = [{ ...row, text: '"\\\u0000: é😀\ud800'.repeat(1_000_000) }];
    const { url } = await serve(page({ results: rows }));
    const { catalogue } = open(url, { limits: { bodyBytes: 64_000_000 } });
    expect((await catalogue.activities(1))?.rows).toEqual(rows);
  });

  test('fault 31: with bytes that are no UTF-8, which become U+FFFD', async () => {
    const bytes = Buffer.from(list.replace('NPHS1 as', 'NPHS1 \u00ff as'), 'latin1');
    const { catalogue } = await answered(body(bytes));
    const [read] = (await catalogue.activities(1))?.rows ?? [];
    expect(read).toMatchObject({ text: 'Marked gene: NPHS1 \ufffd as ready' });
  });
});

function pieces(response: Parameters<Handler>[0], text: string): void {
  response.writeHead(200);
  for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
  response.end();
}
