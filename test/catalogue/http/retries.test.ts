import { describe, expect, test } from 'vitest';
import type { CatalogueOptions } from '../../../lambdas/catalogue/client.ts';
import { type Clock, systemClock } from '../../../lambdas/run/clock.ts';
import { createTestClock, noon } from '../../run/test-clock.ts';
import { failure, open } from './fixtures/opened.ts';
import { page, status } from './fixtures/responses.ts';
import { type Handler, serve } from './fixtures/server.ts';

const day = 24 * 60 * 60 * 1000;
const httpDate = (ms: number): string => new Date(noon + ms).toUTCString();
const slowDown = (headers: { 'retry-after'?: string; date?: string }, code = 429): Handler =>
  status(code, { date: httpDate(0), ...headers });

async function openWith(handlers: readonly Handler[], options: Partial<CatalogueOptions> = {}) {
  const { url, requests } = await serve(...handlers);
  const opened = open(url, options);
  return { ...opened, requests };
}

describe.each([500, 502, 503, 504, 408, 425])('a response with HTTP %i', (code) => {
  test.each([1, 2, 3])('%i times, then a page: the page is read', async (times) => {
    const faults = Array.from({ length: times }, () => status(code));
    const { catalogue, clock } = await openWith([...faults, page()]);
    expect(await catalogue.activities(1)).toMatchObject({ count: 1 });
    expect(clock.sleeps).toHaveLength(times);
    expect(catalogue.traffic).toMatchObject({ requests: times + 1, retries: times });
  });

  test('again and again is retried three times, then an error', async () => {
    const { catalogue, requests } = await openWith([status(code)]);
    const error = await failure(catalogue.activities(1));
    expect(error.code).toBe('CATALOGUE_UNAVAILABLE');
    expect(error.message).toContain(`HTTP ${code}`);
    expect(requests).toHaveLength(4);
  });
});

test.each([304, 400, 402, 405, 406, 410, 418, 451, 501, 505])('HTTP %i is not retried', async (code) => {
  const { catalogue, requests } = await openWith([status(code)]);
  const error = await failure(catalogue.activities(1));
  expect([error.code, error.status]).toEqual(['CATALOGUE_REQUEST_REFUSED', code]);
  expect(requests).toHaveLength(1);
});

test.each([
  [0, [0, 0, 0]],
  [0.5, [500, 1000, 2000]],
  [0.999999, [1000, 2000, 4000]],
])(
  'the waits are drawn from zero to a bound that doubles: with the random number %d',
  async (chance, delays) => {
    const clock = createTestClock({ random: () => chance });
    const { catalogue } = await openWith([status(503)], { clock });
    await failure(catalogue.activities(1));
    expect(clock.sleeps).toEqual(delays);
  },
);

test('the bound of the waits has a maximum', async () => {
  const clock = createTestClock({ random: () => 0.999999 });
  const limits = { retries: 6, longestBackoffMs: 8000 };
  const { catalogue } = await openWith([status(503)], { clock, limits });
  await failure(catalogue.activities(1));
  expect(clock.sleeps).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
});

describe('a 429 whose Retry-After', () => {
  test.each([
    ['is in seconds', { 'retry-after': '7' }, 7000],
    ['is the longest wait allowed', { 'retry-after': '20' }, 20_000],
    ['is a date', { 'retry-after': httpDate(9000) }, 9000],
    [
      'is a date by the clock of the server',
      { 'retry-after': httpDate(day + 9000), date: httpDate(day) },
      9000,
    ],
    ['is a date in the past', { 'retry-after': httpDate(-9000) }, 500],
    ['is a negative number', { 'retry-after': '-7' }, 500],
    ['is text', { 'retry-after': 'soon' }, 500],
    ['is zero', { 'retry-after': '0' }, 500],
    ['is missing', {}, 500],
    ['is shorter than the own wait', { 'retry-after': '1' }, 1000],
  ])('%s', async (_, headers, delay) => {
    const { catalogue, clock } = await openWith([slowDown(headers), page()]);
    expect(await catalogue.activities(1)).toMatchObject({ count: 1 });
    expect(clock.sleeps).toEqual([delay]);
  });

  test.each([
    ['a minute', { 'retry-after': '60' }, 60_000],
    ['one day', { 'retry-after': '86400' }, day],
    ['a date of tomorrow', { 'retry-after': httpDate(day) }, day],
    ['a year, which is limited to a day', { 'retry-after': '31536000' }, day],
    ['an absurd number, which is limited to a day', { 'retry-after': '99999999999999999999' }, day],
    ['an absurd date, which is limited to a day', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, day],
  ])('is %s ends the run at once and states until when', async (_, headers, wait) => {
    const { catalogue, clock, requests } = await openWith([slowDown(headers)]);
    const error = await failure(catalogue.activities(1));
    expect([error.code, error.status]).toEqual(['CATALOGUE_NOT_BEFORE', 429]);
    expect(error.notBefore).toBe(noon + wait);
    expect(error.message).toContain(new Date(noon + wait).toISOString());
    expect(error.cause).toMatchObject({ code: 'CATALOGUE_UNAVAILABLE', status: 429 });
    expect(clock.sleeps).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test('is short is kept each time, then the run ends', async () => {
    const { catalogue, clock, requests } = await openWith([slowDown({ 'retry-after': '5' })]);
    const error = await failure(catalogue.activities(1));
    expect([error.code, error.notBefore]).toEqual(['CATALOGUE_NOT_BEFORE', noon + 20_000]);
    expect(clock.sleeps).toEqual([5000, 5000, 5000]);
    expect(requests).toHaveLength(4);
  });

  test('is always missing ends the run and states the default wait', async () => {
    const { catalogue, clock } = await openWith([slowDown({})]);
    const error = await failure(catalogue.activities(1));
    expect([error.code, error.notBefore]).toEqual(['CATALOGUE_NOT_BEFORE', clock.now() + 60_000]);
  });

  test('is on a 503 instead counts the same', async () => {
    const { catalogue } = await openWith([slowDown({ 'retry-after': '600' }, 503)]);
    const error = await failure(catalogue.activities(1));
    expect([error.code, error.notBefore]).toEqual(['CATALOGUE_NOT_BEFORE', noon + 600_000]);
  });
});

describe('the deadline', () => {
  test('prevents a wait that would pass it', async () => {
    const { catalogue, clock } = await openWith([status(503)], { deadline: noon + 1000 });
    expect((await failure(catalogue.activities(1))).code).toBe('CATALOGUE_UNAVAILABLE');
    expect(clock.sleeps).toEqual([500]);
  });

  test('prevents a short Retry-After that would pass it', async () => {
    const { catalogue, clock } = await openWith([slowDown({ 'retry-after': '7' })], {
      deadline: noon + 7000,
    });
    const error = await failure(catalogue.activities(1));
    expect([error.code, error.notBefore]).toEqual(['CATALOGUE_NOT_BEFORE', noon + 7000]);
    expect(clock.sleeps).toEqual([]);
  });

  test('in the past prevents any request', async () => {
    const { catalogue, requests } = await openWith([page()], { deadline: noon });
    expect((await failure(catalogue.activities(1))).code).toBe('CATALOGUE_DEADLINE');
    expect(requests).toEqual([]);
  });

  test('ends the wait for a response', async () => {
    const { catalogue, requests } = await openWith([() => {}], { deadline: noon + 50 });
    const error = await failure(catalogue.activities(1));
    expect(error.code).toBe('CATALOGUE_DEADLINE');
    expect(requests).toHaveLength(1);
  });
});

describe('after the signal to stop', () => {
  const reason = new Error('stopped');

  test('the wait for a response ends', async () => {
    const stop = new AbortController();
    const { catalogue, requests, log } = await openWith([() => stop.abort(reason)], { signal: stop.signal });
    await expect(catalogue.activities(1)).rejects.toBe(reason);
    expect([requests.length, log.lines]).toEqual([1, []]);
  });

  test('the wait for the rest of a body ends', async () => {
    const stop = new AbortController();
    const half: Handler = (response) => {
      response.writeHead(200, { 'content-length': '999' });
      response.write('{', () => stop.abort(reason));
    };
    const { catalogue, requests } = await openWith([half], { signal: stop.signal });
    await expect(catalogue.activities(1)).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test('the wait before a retry ends', async () => {
    const stop = new AbortController();
    const sleep: Clock['sleep'] = (ms, signal) => {
      stop.abort(reason);
      return systemClock.sleep(ms, signal);
    };
    const { catalogue, requests } = await openWith([slowDown({ 'retry-after': '15' })], {
      signal: stop.signal,
      clock: { ...createTestClock(), sleep },
    });
    await expect(catalogue.activities(1)).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test('no request is sent', async () => {
    const { catalogue, requests } = await openWith([page()], { signal: AbortSignal.abort(reason) });
    await expect(catalogue.activities(1)).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });
});

describe('the budget of retries', () => {
  test('is shared by all requests', async () => {
    const { catalogue, requests } = await openWith([status(503)], { limits: { retryBudget: 4 } });
    await failure(catalogue.activities(1));
    await failure(catalogue.activities(2));
    await failure(catalogue.activities(3));
    expect(requests).toHaveLength(3 + 4);
  });

  test('does not grow beyond its start', async () => {
    const { catalogue, requests } = await openWith([page(), page(), page(), status(503)], {
      limits: { retryBudget: 1 },
    });
    for (const number of [1, 2, 3]) await catalogue.activities(number);
    await failure(catalogue.activities(4));
    expect(requests).toHaveLength(3 + 2);
  });

  test('is refilled by success', async () => {
    const { catalogue } = await openWith([status(503), page(), status(503), page(), status(503), page()], {
      limits: { retryBudget: 1 },
    });
    for (const number of [1, 2, 3]) expect(await catalogue.activities(number)).toMatchObject({ count: 1 });
  });
});

test('a retry is logged with its reason and wait', async () => {
  const { catalogue, log } = await openWith([status(503), page()]);
  await catalogue.activities(1);
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { code: 'CATALOGUE_UNAVAILABLE', retry: 1, waitMs: 500 } },
  ]);
});
