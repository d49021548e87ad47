import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/catalogue/faults.ts';
import { aCatalogue, pageOf, someRows } from './running-catalogue.ts';

describe('an answer that is wrong', () => {
  test.each(['3', 'Wed, 21 Oct 2026 07:28:00 GMT', '-1', 'soon', '86400'])(
    '429 with Retry-After %s',
    async (retryAfter) => {
      const catalogue = await aCatalogue({ lists: {} });
      catalogue.fail({ kind: 'status', status: 429, retryAfter });
      const response = await fetch(`${catalogue.url}activities/`);
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, retryAfter]);
      expect(await response.json()).toEqual({ detail: 'Not this time.' });
    },
  );

  test('HTML with status 200', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'html' });
    const response = await fetch(`${catalogue.url}activities/`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('<h1>Back soon</h1>');
  });

  test('a body of one’s own', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'body', body: '{"count":' });
    expect(await (await fetch(`${catalogue.url}activities/`)).text()).toBe('{"count":');
  });

  test('a redirect', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'redirect', location: 'http://127.0.0.1:1/elsewhere', status: 307 });
    const response = await fetch(`${catalogue.url}activities/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      307,
      'http://127.0.0.1:1/elsewhere',
    ]);
  });

  test.each([true, false])('a body that breaks off, its length declared: %s', async (declared) => {
    const catalogue = await aCatalogue({ lists: { activities: someRows(3) } });
    catalogue.fail({ kind: 'truncated', declared });
    const response = await fetch(`${catalogue.url}activities/`);
    expect(response.status).toBe(200);
    expect(response.headers.has('content-length')).toBe(declared);
    await expect(response.text()).rejects.toThrow();
  });

  test('a body that waits half way, for as long as it was told', async () => {
    const catalogue = await aCatalogue({ lists: { activities: someRows(3) } });
    catalogue.fail({ kind: 'slow', waitMs: 45_000 });
    const answer = pageOf(`${catalogue.url}activities/`);
    const sleep = await catalogue.clock.nextSleep();
    expect(sleep.ms).toBe(45_000);
    sleep.wake();
    expect((await answer).count).toBe(3);
  });

  test('headers and never a body', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'silence' });
    const retryPolicy = new AbortController();
    const response = await fetch(`${catalogue.url}activities/`, { signal: retryPolicy.signal });
    expect(response.status).toBe(200);
    const body = response.text();
    retryPolicy.abort();
    await expect(body).rejects.toThrow('aborted');
  });

  test('a connection that breaks', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'reset' });
    await expect(fetch(`${catalogue.url}activities/`)).rejects.toThrow();
  });
});

describe('which requests it meets', () => {
  const unavailable: Fault = { kind: 'status', status: 503 };

  test('the next one only, where nothing is said', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable);
    const statuses = [];
    for (let index = 0; index < 2; index += 1) statuses.push((await fetch(`${catalogue.url}panels/`)).status);
    expect(statuses).toEqual([503, 200]);
  });

  test('so many, one after the other in the order given', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable, { times: 2 });
    catalogue.fail({ kind: 'status', status: 500 });
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await fetch(`${catalogue.url}panels/`)).status);
    expect(statuses).toEqual([503, 503, 500, 200]);
  });

  test('only those of a path', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable, { path: 'regions' });
    expect((await fetch(`${catalogue.url}panels/`)).status).toBe(200);
    expect((await fetch(`${catalogue.url}regions/`)).status).toBe(503);
  });

  test('none once they are cleared', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable, { times: 9 });
    catalogue.clearFaults();
    expect((await fetch(`${catalogue.url}panels/`)).status).toBe(200);
  });
});

test('closing ends what is under way', async () => {
  const catalogue = await aCatalogue({ lists: {} });
  catalogue.fail({ kind: 'slow', waitMs: 1_000_000 });
  const answer = fetch(`${catalogue.url}activities/`).then((response) => response.text());
  const outcome = expect(Promise.resolve(answer)).resolves.toBeDefined();
  await catalogue.clock.nextSleep();
  await catalogue.close();
  await outcome.catch(() => undefined);
});
