import { describe, expect, test } from 'vitest';
import { createTestClock } from '../run/test-clock.ts';
import { failure, open } from './http/fixtures/opened.ts';
import { page, panel, row, status } from './http/fixtures/responses.ts';
import { serve } from './http/fixtures/server.ts';

test('while the catalogue asks to wait, nothing else is asked for', async () => {
  const { url, requests } = await serve(status(429, { 'retry-after': '5' }), page());
  const clock = createTestClock({ wokenByHand: true });
  const { catalogue } = open(url, { clock });
  const both = Promise.all([catalogue.activities(2), catalogue.activities(3)]);
  const { milliseconds, wake } = await clock.nextSleep();
  const second = 'GET /api/v1/activities/?page=2';
  expect([milliseconds, requests]).toStrictEqual([5_000, [second]]);
  clock.pass(5_000);
  wake();
  expect(await both).toMatchObject([{ page: 2 }, { page: 3 }]);
  expect(requests).toStrictEqual([second, second, 'GET /api/v1/activities/?page=3']);
});

test('a request that fails does not hold up the next one', async () => {
  const { url } = await serve(status(403), page());
  const { catalogue } = open(url);
  const [refused, read] = [failure(catalogue.activities(1)), catalogue.activities(2)];
  expect(await refused).toMatchObject({ condition: 'FORBIDDEN' });
  expect(await read).toMatchObject({ page: 2 });
});

describe('a page of the log', () => {
  test('is given as received, with the time of the server', async () => {
    const rows = [row, { ...row, text: 'another' }, 'not a row', null];
    const { url, requests, headers } = await serve((response, request) => {
      response.setHeader('date', 'Sat, 31 Jan 2026 12:00:05 GMT');
      page({ count: 600, next: 'https://elsewhere.example/', results: rows })(response, request);
    });
    const { catalogue } = open(url);
    expect(await catalogue.activities(1)).toEqual({
      page: 1,
      rows,
      count: 600,
      hasNext: true,
      serverTime: Date.UTC(2026, 0, 31, 12, 0, 5),
    });
    expect(catalogue.url).toBe(`${url}/api/v1/`);
    expect(requests).toEqual(['GET /api/v1/activities/']);
    expect(headers[0]).toMatchObject({ accept: 'application/json', 'accept-encoding': 'gzip' });
    expect(headers[0]?.['user-agent']).toMatch(/^gene-panel-notifier\/\d+\.\d+\.\d+ \(\+https:\/\/.+\)$/);
  });

  test('after the first is requested by number', async () => {
    const { url, requests } = await serve(page());
    const { catalogue } = open(url);
    await catalogue.activities(2);
    await catalogue.activities(17);
    expect(requests).toEqual(['GET /api/v1/activities/?page=2', 'GET /api/v1/activities/?page=17']);
  });

  test('is requested in the browsable rendering and with another user agent where the options say so', async () => {
    const { url, requests, headers } = await serve(page());
    const { catalogue } = open(url, { format: 'api', userAgent: 'laboratory/2' });
    await catalogue.activities(1);
    await catalogue.activities(2);
    expect(requests).toEqual([
      'GET /api/v1/activities/?format=api',
      'GET /api/v1/activities/?format=api&page=2',
    ]);
    expect(headers[0]?.['user-agent']).toBe('laboratory/2');
  });

  test('without a usable Date header has no time of the server', async () => {
    const { url } = await serve((response, request) => {
      response.sendDate = false;
      page()(response, request);
    });
    expect(await open(url).catalogue.activities(1)).toMatchObject({ serverTime: null });
  });

  test('lies below the path of a proxy where the base address has one', async () => {
    const { url, requests } = await serve(page());
    await open(`${url}/panels/`).catalogue.activities(1);
    expect(requests).toEqual(['GET /panels/api/v1/activities/']);
  });
});

describe('a 404', () => {
  test('past the end is the end', async () => {
    const { url } = await serve(status(404));
    expect(await open(url).catalogue.activities(7)).toBeNull();
  });

  test('on page 1 is an error', async () => {
    const { url, requests } = await serve(status(404));
    const error = await failure(open(url).catalogue.activities(1));
    expect(error.code).toBe('CATALOGUE_NOT_FOUND');
    expect(error.message).toContain(`${url}/api/v1/activities/`);
    expect(error.message).toContain('Check the base address');
    expect(requests).toHaveLength(1);
  });
});

test.each([
  ['negative', -1],
  ['a fraction', 1.5],
  ['text', '600'],
  ['null', null],
  ['larger than a safe integer', Number.MAX_SAFE_INTEGER * 2],
  ['a list', [600]],
  ['missing', undefined],
])('a count that is %s becomes null, with one warning', async (_, count) => {
  const { url } = await serve(page({ count }));
  const { catalogue, log } = open(url);
  expect(await catalogue.activities(1)).toMatchObject({ count: null, rows: [row] });
  await catalogue.activities(2);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { list: 'activities', page: 1 } }]);
});

test('an empty log is a page without rows', async () => {
  const { url } = await serve(page({ count: 0, results: [] }));
  expect(await open(url).catalogue.activities(1)).toMatchObject({ rows: [], count: 0, hasNext: false });
});

const trap = 'http://127.0.0.1:9';
test.each([
  ['another host', 'https://evil.example/api/v1/activities/?page=2'],
  ['another scheme', 'ftp://127.0.0.1/api/v1/activities/?page=2'],
  ['another port', `${trap}/api/v1/activities/?page=2`],
  ['user info', 'http://127.0.0.1@evil.example/api/v1/activities/'],
  ['a host with a suffix', 'http://127.0.0.1.evil.example/api/v1/activities/'],
  ['a dot-dot path', '/api/v1/../../admin/'],
  ['itself', '/api/v1/activities/'],
  ['a number', 2],
  ['an object', { href: 'https://evil.example/' }],
])('a next that leads to %s only announces a next page', async (_, next) => {
  const { url, requests } = await serve(page({ next }));
  const { catalogue } = open(url);
  expect(await catalogue.activities(1)).toMatchObject({ hasNext: true });
  expect(await catalogue.activities(2)).toMatchObject({ hasNext: true });
  expect(requests).toEqual(['GET /api/v1/activities/', 'GET /api/v1/activities/?page=2']);
});

test.each([
  ['null', null],
  ['an empty text', ''],
  ['missing', undefined],
  ['false', false],
])('a next that is %s announces no next page', async (_, next) => {
  const { url } = await serve(page({ next }));
  expect(await open(url).catalogue.activities(1)).toMatchObject({ hasNext: false });
});

test('a page may have any size', async () => {
  const results = Array.from({ length: 1000 }, (_, n) => ({ ...row, text: `row ${n}` }));
  const { url } = await serve(page({ results, count: 1000 }));
  expect((await open(url).catalogue.activities(1))?.rows).toEqual(results);
});

test('panels and regions are requested at their own addresses', async () => {
  const { url, requests } = await serve(page({ results: [panel(1)] }), page({ results: [] }));
  const { catalogue } = open(url);
  await catalogue.panels();
  await catalogue.regions();
  expect(requests).toEqual(['GET /api/v1/panels/', 'GET /api/v1/regions/']);
});

test('requests, retries and bytes are counted', async () => {
  const { url } = await serve(status(503), page());
  const { catalogue } = open(url);
  await catalogue.activities(1);
  const bytes = Buffer.byteLength(JSON.stringify({ count: 1, next: null, previous: null, results: [row] }));
  expect(catalogue.traffic).toEqual({ requests: 2, retries: 1, throttled: 0, bytes });
});
