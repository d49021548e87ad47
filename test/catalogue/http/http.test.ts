import { expect, onTestFinished, test } from 'vitest';
import {
  anonymous,
  CatalogueError,
  catalogueErrors,
  fixedHeader,
  serviceUrl,
} from '../../../lambdas/catalogue/http/access.ts';
import type { Exchange } from '../../../lambdas/catalogue/http/attempt.ts';
import { createHttp, type Http, type HttpOptions } from '../../../lambdas/catalogue/http/http.ts';
import { readJson } from '../../../lambdas/catalogue/http/response.ts';
import { type Failure, ServiceError } from '../../../lambdas/catalogue/http/service-error.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { recordedLog } from './fixtures/log.ts';
import { failure } from './fixtures/opened.ts';
import { json, status } from './fixtures/responses.ts';
import { type Handler, serve, serveRaw } from './fixtures/server.ts';

function httpOf(url: string, more: Partial<HttpOptions> = {}): Http {
  const base = serviceUrl(`${url}/api`, catalogueErrors);
  const clock = createTestClock({ random: () => 0.5 });
  const http = createHttp({
    base,
    errors: catalogueErrors,
    access: anonymous,
    clock,
    log: recordedLog(),
    ...more,
  });
  onTestFinished(() => http.close());
  return http;
}

async function service(handlers: readonly Handler[], more: Partial<HttpOptions> = {}) {
  const served = await serve(...handlers);
  const clock = createTestClock({ random: () => 0.5 });
  const http = httpOf(served.url, { clock, ...more });
  const send = (exchange: Exchange) => http.send(exchange, (response) => response);
  return { ...served, http, clock, send };
}

test.each(['GET', 'HEAD', 'OPTIONS', 'PUT'] as const)(
  '%s is sent, and retried after a transient error',
  async (method) => {
    const { send, requests, clock } = await service([status(503), json({}, { allow: 'GET, HEAD, OPTIONS' })]);
    const response = await send({ method, path: 'panels/' });
    expect(response.status).toBe(200);
    expect(response.header('allow')).toBe('GET, HEAD, OPTIONS');
    expect(response.header('etag')).toBeNull();
    expect(response.body.toString()).toBe(method === 'HEAD' ? '' : '{}');
    expect(requests).toEqual([`${method} /api/panels/`, `${method} /api/panels/`]);
    expect(clock.sleeps).toEqual([500]);
  },
);

test('HEAD ignores the announced size and encoding of a body it does not get', async () => {
  const { send } = await service([
    (response) =>
      void response.writeHead(200, { 'content-length': 10 ** 9, 'content-encoding': 'gzip' }).end(),
  ]);
  expect((await send({ method: 'HEAD', path: '' })).body).toHaveLength(0);
});

test('POST sends its body and headers', async () => {
  const { send, requests, headers, bodies } = await service([json({}, {})]);
  await send({
    method: 'POST',
    path: 'clinical-report',
    headers: { 'content-type': 'application/json' },
    body: '{"a":"é"}',
  });
  expect(requests).toEqual(['POST /api/clinical-report']);
  expect(bodies).toEqual(['{"a":"é"}']);
  expect(headers[0]).toMatchObject({ 'content-type': 'application/json', 'content-length': '10' });
});

test.each([
  ['HTTP 503', status(503), 'CATALOGUE_UNAVAILABLE'],
  ['a short Retry-After', status(503, { 'retry-after': '1' }), 'CATALOGUE_NOT_BEFORE'],
  ['a 429', status(429), 'CATALOGUE_NOT_BEFORE'],
  ['a reset', (response) => void response.socket?.resetAndDestroy(), 'CATALOGUE_CONNECTION_LOST'],
] satisfies [string, Handler, string][])('POST is not retried after %s', async (_, handler, code) => {
  const { send, requests } = await service([handler]);
  const error = await failure(send({ method: 'POST', path: 'clinical-report', body: '{}' }));
  expect(error.code).toBe(code);
  expect(error.message).toContain('Sending POST http');
  expect(requests).toHaveLength(1);
});

test('POST is retried where the caller says that it is idempotent', async () => {
  const { send, requests } = await service([status(503), json({})]);
  await send({
    method: 'POST',
    path: 'oauth2/token',
    body: 'grant_type=client_credentials',
    idempotent: true,
  });
  expect(requests).toHaveLength(2);
});

test('POST is sent once more after a 401 when the access was renewed', async () => {
  const access = { ...anonymous, renew: async () => true };
  const { send, requests } = await service([status(401), json({})], { access });
  expect((await send({ method: 'POST', path: 'clinical-report', body: '{}' })).status).toBe(200);
  expect(requests).toHaveLength(2);
});

test.each([400, 401, 403, 404, 409, 422])('HTTP %i is left to the caller', async (code) => {
  const { http } = await service([status(code)]);
  const read = await http.send({ path: 'x' }, (response) => [response.status, readJson(response)]);
  expect(read).toEqual([code, { detail: `HTTP ${code}` }]);
});

test('a transient error that the caller throws is retried', async () => {
  const { http, requests } = await service([json({ good: false }), json({ good: true })]);
  const read = await http.send({ path: 'x' }, (response) => {
    const value = readJson(response);
    if (JSON.stringify(value).includes('false')) throw response.fail('JSON_WRONG', 'it is not good');
    return value;
  });
  expect(read).toEqual({ good: true });
  expect(requests).toHaveLength(2);
});

test('any other error of the caller passes through unchanged', async () => {
  const { http, requests } = await service([json({})]);
  const fault = new TypeError('mine');
  const send = http.send({ path: 'x' }, () => {
    throw fault;
  });
  await expect(send).rejects.toBe(fault);
  expect(requests).toHaveLength(1);
});

test('a path outside the base address is never requested', async () => {
  const { send, requests } = await service([json({})]);
  const error = await failure(send({ path: '../admin/' }));
  expect(error.code).toBe('CATALOGUE_ADDRESS_WRONG');
  expect(requests).toEqual([]);
});

test('one connection serves all requests, one at a time', async () => {
  let connections = 0;
  const { url } = await serveRaw((socket, connection) => {
    connections = connection;
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
  });
  const http = httpOf(url);
  await Promise.all(Array.from({ length: 8 }, () => http.send({ path: 'x' }, readJson)));
  expect(connections).toBe(1);
});

test('errors hold no header, token or body', async () => {
  const access = fixedHeader('Authorization', 'Token canary-1');
  const { http } = await service([(response) => void response.end('{"access_token":"canary-2')], { access });
  const error = await failure(
    http.send({ method: 'POST', path: 'x', body: 'canary-3', headers: { 'x-key': 'canary-4' } }, readJson),
  );
  const shown = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join();
  expect(shown).not.toContain('canary');
});

test('another service has its own errors and codes', async () => {
  class BakeryError extends ServiceError {
    override readonly name = 'BakeryError';
    override readonly code: `BAKERY_${Failure['condition']}`;
    constructor(fault: Failure) {
      super(fault);
      this.code = `BAKERY_${fault.condition}`;
    }
  }
  const errors = { service: 'the bakery', error: BakeryError };
  const { url } = await serve(status(503));
  const http = createHttp({
    base: serviceUrl(url, errors),
    errors,
    access: anonymous,
    clock: createTestClock({ random: () => 0.5 }),
    log: recordedLog(),
  });
  onTestFinished(() => http.close());
  const fault: unknown = await http.send({ path: 'bread' }, () => 'bread').catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(BakeryError);
  expect(fault).not.toBeInstanceOf(CatalogueError);
  expect(fault).toMatchObject({ code: 'BAKERY_UNAVAILABLE', status: 503 });
  expect(String(fault)).toContain(`Asking the bakery for ${url}/bread: the response is HTTP 503.`);
});
