import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { requestOf, resultOf } from '../../../lambdas/functions/page/http-api.ts';
import { httpApiEvent } from './http-api-event.ts';

const HOST = 'abc123.execute-api.eu-west-2.amazonaws.com';
const address = `https://${HOST}`;
const read = (init: RequestInit = {}, path = '/') => httpApiEvent(new Request(`${address}${path}`, init));

describe('a request of an HTTP API', () => {
  test('keeps address, headers, cookies and the address of the sender', async () => {
    const event = await read(
      { headers: { cookie: 'a=1; b=2', accept: 'text/html' } },
      '/panel/uk/635?gene=A%2FB&gene=C%20D',
    );
    expect(event.cookies).toStrictEqual(['a=1', 'b=2']);
    const { request, from } = requestOf(event);
    expect([request.url, request.method, from]).toStrictEqual([
      `${address}/panel/uk/635?gene=A%2FB&gene=C%20D`,
      'GET',
      '203.0.113.7',
    ]);
    expect(Object.fromEntries(request.headers)).toMatchObject({
      ...{ cookie: 'a=1; b=2', accept: 'text/html', host: HOST },
    });
  });

  test.each([
    ['a form, base64', 'why=n%C3%B6&state=done', true],
    ['a form as text', 'why=nö', false],
    ['an empty form', '', false],
  ])('has %s byte for byte, with its true length', async (_what, body, isBase64Encoded) => {
    const event = {
      ...(await read({ method: 'POST' })),
      isBase64Encoded,
      body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    };
    const { request } = requestOf({ ...event, headers: { ...event.headers, 'content-length': '3' } });
    expect(request.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    expect(await request.text()).toBe(body);
  });

  test('of another form is refused with what was expected', () => {
    expect(() => requestOf({ httpMethod: 'GET', path: '/' })).toThrow(
      /Expected the payload format 2\.0 of an HTTP API/,
    );
  });
});

describe('a response for an HTTP API', () => {
  const long = 'BRCA1 now green\n'.repeat(1_000);
  const result = (response: Response, headers: Record<string, string> = {}) =>
    resultOf(response, new Request(address, { headers }));

  test('has each cookie apart, and other headers once', async () => {
    const response = new Response('x', { status: 302, headers: { location: '/' } });
    response.headers.append('set-cookie', 'a=1; Path=/');
    response.headers.append('set-cookie', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT');
    expect(await result(response)).toMatchObject({
      statusCode: 302,
      headers: { location: '/' },
      cookies: ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
      body: 'x',
      isBase64Encoded: false,
    });
  });

  test.each([
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.8', true],
    ['gzip;q=0', false],
    ['gzip;q=0.0, br', false],
    ['br', false],
    ['', false],
  ])('is compressed where the browser takes it: %j', async (accepted, isCompressed) => {
    const given = await result(new Response(long, { headers: { 'content-type': 'text/csv' } }), {
      'accept-encoding': accepted,
    });
    expect(given.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    const bytes = Buffer.from(given.body, given.isBase64Encoded ? 'base64' : 'utf8');
    expect(String(isCompressed ? gunzipSync(bytes) : bytes)).toBe(long);
  });

  test('keeps bytes that are no text', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const given = await result(
      new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } }),
    );
    expect([given.isBase64Encoded, given.body]).toStrictEqual([true, Buffer.from(bytes).toString('base64')]);
  });

  test('that is larger than a function may send is refused with what to do, never cut', async () => {
    const response = new Response('x'.repeat(6_000_000), { headers: { 'content-type': 'text/csv' } });
    const given = await result(response);
    expect(given.statusCode).toBe(507);
    expect(given.body).toContain('Choose fewer panels or a shorter period');
  });
});
