import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { bearerAccess } from '../../../lambdas/catalogue/identity/token-source.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
} from '../../../lambdas/catalogue/interpretation/application-client.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';
import { CANARY, watchedLog } from '../identity/canaries.ts';
import { closeLater, failureOf } from '../identity/token-harness.ts';

/** The requests themselves, against a server with prepared responses. */

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answering = (received: Received, response: ServerResponse) => void;

interface Harness {
  readonly api: InterpretationApi;
  readonly received: readonly Received[];
  readonly clock: TestClock;
  readonly watched: ReturnType<typeof watchedLog>;
  readonly renewals: () => number;
}

async function start(
  answering: Answering = (_received, response) => void response.end('{}'),
): Promise<Harness> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: await text(request) };
    received.push(one);
    answering(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const clock = createTestClock();
  const watched = watchedLog();
  let renewals = 0;
  const access = bearerAccess({
    token: async () => `${CANARY}-${renewals}`,
    renew: async () => {
      renewals += 1;
    },
  });
  const api = createInterpretationApi({
    baseUrl: `http://127.0.0.1:${port}/api`,
    access,
    clock,
    log: watched.log,
  });
  closeLater(api.close);
  return { api, received, clock, watched, renewals: () => renewals };
}

const status =
  (...statuses: readonly number[]): Answering =>
  (_received, response) => {
    const [first = 200, ...rest] = statuses;
    statuses = rest;
    response.writeHead(first).end(first === 200 ? '{"done":true}' : '');
  };

describe('the operations of a registered system', () => {
  test.each([
    ['POST', '/api/clinical-report', (api: InterpretationApi) => api.clinicalReport({ a: 'é' })],
    ['PUT', '/api/exit-questionnaire', (api: InterpretationApi) => api.exitQuestionnaire({ a: 'é' })],
  ])('%s %s sends JSON', async (method, path, call) => {
    const { api, received } = await start();
    expect(await call(api)).toEqual({});
    expect(received).toMatchObject([{ method, path, body: '{"a":"é"}' }]);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Bearer ${CANARY}-0`,
      accept: 'application/json',
    });
  });

  test('a sample is addressed by case, version and identifier', async () => {
    const { api, received } = await start();
    await api.snpCheck({ irId: 1001, irVersion: 2, sampleId: 'LP1001-A' });
    const path = '/api/interpretation-request/1001/2/snp_check/LP1001-A';
    expect(received).toMatchObject([{ method: 'PUT', path, body: '' }]);
  });

  test.each([
    ['a/b', 'a%2Fb'],
    ['a?b=c#d', 'a%3Fb%3Dc%23d'],
    ['a b+c', 'a%20b%2Bc'],
    ['50%', '50%25'],
    ['é漢', '%C3%A9%E6%BC%A2'],
    ['..%2f', '..%252f'],
    ['a\\b', 'a%5Cb'],
    ['//evil.example', '%2F%2Fevil.example'],
    ['https://evil.example/', 'https%3A%2F%2Fevil.example%2F'],
    ['a\r\nHost: evil', 'a%0D%0AHost%3A%20evil'],
  ])('the sample %j stays one part of the path', async (sampleId, encoded) => {
    const { api, received } = await start();
    await api.snpCheck({ irId: sampleId, irVersion: sampleId, sampleId });
    expect(received[0]?.path).toBe(`/api/interpretation-request/${encoded}/${encoded}/snp_check/${encoded}`);
  });

  test.each(['', '.', '..', '\ud800'])('the part %j is refused before anything is sent', async (sampleId) => {
    const { api, received } = await start();
    const error = await failureOf(api.snpCheck({ irId: 1, irVersion: 1, sampleId }));
    expect(error.code).toBe('INTERPRETATION_ADDRESS_WRONG');
    expect(received).toEqual([]);
  });
});

describe('reading', () => {
  test('gives any JSON as received', async () => {
    const { api, received } = await start((_received, response) => void response.end('[1,{"a":null}]'));
    expect(await api.get(['any', 'thing'], { a: 'b&c' })).toEqual([1, { a: null }]);
    expect(received[0]?.path).toBe('/api/any/thing?a=b%26c');
  });

  test('keeps a slash at the end, as some servers need it', async () => {
    const { api, received } = await start();
    await api.get(['a', 'list', '']);
    expect(received[0]?.path).toBe('/api/a/list/');
  });

  test.each([[['']], [['a', '', 'b']], [['', 'a']], [['a', '', '']]])(
    'refuses the path %j',
    async (parts) => {
      const { api, received } = await start();
      expect((await failureOf(api.get(parts))).message).toContain('"" is not a part of a path');
      expect((await failureOf(api.getPage(parts))).code).toBe('INTERPRETATION_ADDRESS_WRONG');
      expect(received).toEqual([]);
    },
  );

  test('gives null for a response without a body', async () => {
    const { api } = await start((_received, response) => void response.writeHead(204).end());
    expect(await api.get(['any'])).toBeNull();
  });

  test('reads a list in the documented envelope', async () => {
    const page = { count: 3, next: 'https://evil.example/?page=3', previous: null, results: [{ a: 1 }] };
    const { api, received } = await start((_received, response) => void response.end(JSON.stringify(page)));
    const first = await api.getPage(['list']);
    expect(first).toMatchObject({ items: [{ a: 1 }], count: 3, hasNext: true });
    await api.getPage(['list'], 2, { sort: 'x' });
    expect(received.map(({ path }) => path)).toEqual(['/api/list', '/api/list?sort=x&page=2']);
  });

  test('of a list fails where the response is not one', async () => {
    const { api } = await start((_received, response) => void response.end('{"count": 1}'));
    expect((await failureOf(api.getPage(['list']))).code).toBe('INTERPRETATION_LIST_WRONG');
  });
});

describe('errors', () => {
  const calls: [string, (api: InterpretationApi) => Promise<unknown>, number][] = [
    ['GET', (api) => api.get(['x']), 4],
    ['PUT', (api) => api.exitQuestionnaire({}), 4],
    ['PUT snp_check', (api) => api.snpCheck({ irId: 1, irVersion: 1, sampleId: 's' }), 4],
    ['POST', (api) => api.clinicalReport({}), 1],
  ];

  test.each(calls)('%s that fails with a transient error is sent %3$i times', async (_name, call, times) => {
    const { api, received, watched } = await start(status(503, 503, 503, 503, 503));
    const error = await failureOf(call(api));
    expect(error.code).toBe('INTERPRETATION_UNAVAILABLE');
    expect(received).toHaveLength(times);
    watched.expectSilence(error);
  });

  test.each(calls)('%s whose connection is lost is sent %3$i times', async (_name, call, times) => {
    const { api, received, watched } = await start((_received, response) => void response.destroy());
    const error = await failureOf(call(api));
    expect(error.code).toBe('INTERPRETATION_CONNECTION_LOST');
    expect(received).toHaveLength(times);
    watched.expectSilence(error);
  });

  test.each(calls)('%s that gets a 401 is sent once more with another token', async (_name, call) => {
    const { api, received, renewals } = await start(status(401, 200));
    expect(await call(api)).toEqual({ done: true });
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${CANARY}-0`,
      `Bearer ${CANARY}-1`,
    ]);
    expect(renewals()).toBe(1);
  });

  test.each(calls)('%s that gets a second 401 fails', async (_name, call) => {
    const { api, received, renewals, watched } = await start(status(401, 401, 401, 401));
    const error = await failureOf(call(api));
    expect(error.code).toBe('INTERPRETATION_UNAUTHORIZED');
    expect([received.length, renewals()]).toEqual([2, 1]);
    watched.expectSilence(error);
  });

  test.each([
    [403, 'INTERPRETATION_FORBIDDEN'],
    [404, 'INTERPRETATION_NOT_FOUND'],
    [400, 'INTERPRETATION_REQUEST_REFUSED'],
    [405, 'INTERPRETATION_REQUEST_REFUSED'],
  ])('HTTP %i is reported and not repeated', async (answer, code) => {
    const { api, received, renewals } = await start(status(answer));
    expect((await failureOf(api.get(['x']))).code).toBe(code);
    expect([received.length, renewals()]).toEqual([1, 0]);
  });

  test.each(calls)('%s is not redirected', async (_name, call) => {
    const other = await start();
    const location = `${other.api.url}stolen`;
    const { api } = await start((_received, response) => void response.writeHead(307, { location }).end());
    expect((await failureOf(call(api))).code).toBe('INTERPRETATION_REDIRECTED');
    expect(other.received).toEqual([]);
  });

  test.each(['nowhere', 'ftp://a/', `https://u:${CANARY}@a/`, 'https://a/?x', ''])(
    'the base address %j is refused',
    (baseUrl) => {
      const { log } = watchedLog();
      const access = bearerAccess({ token: async () => CANARY, renew: async () => {} });
      const make = () => createInterpretationApi({ baseUrl, access, clock: createTestClock(), log });
      expect(make).toThrow(/Reading the address of the interpretation API/);
      expect(make).not.toThrow(CANARY);
    },
  );
});
