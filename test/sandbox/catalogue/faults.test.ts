import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/catalogue/control-app.ts';
import { aCatalogue, pageOf, someRows } from './running-catalogue.ts';

describe('a wrong response', () => {
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

  test('any body', async () => {
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

  test('a body that waits half way for the given time', async () => {
    const catalogue = await aCatalogue({ lists: { activities: someRows(3) } });
    catalogue.fail({ kind: 'slow', waitMs: 45_000 });
    const answer = pageOf(`${catalogue.url}activities/`);
    const sleep = await catalogue.clock.nextSleep();
    expect(sleep.milliseconds).toBe(45_000);
    sleep.wake();
    expect((await answer).count).toBe(3);
  });

  test('headers without a body', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'silence' });
    const retryPolicy = new AbortController();
    const response = await fetch(`${catalogue.url}activities/`, { signal: retryPolicy.signal });
    expect(response.status).toBe(200);
    const body = response.text();
    retryPolicy.abort();
    await expect(body).rejects.toThrow('aborted');
  });

  test('a connection that is closed', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail({ kind: 'reset' });
    await expect(fetch(`${catalogue.url}activities/`)).rejects.toThrow();
  });
});

describe('the requests that get a fault', () => {
  const unavailable: Fault = { kind: 'status', status: 503 };

  test('are the next one by default', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable);
    const statuses = [];
    for (let index = 0; index < 2; index += 1) statuses.push((await fetch(`${catalogue.url}panels/`)).status);
    expect(statuses).toEqual([503, 200]);
  });

  test('are as many as given, in the order given', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable, { times: 2 });
    catalogue.fail({ kind: 'status', status: 500 });
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await fetch(`${catalogue.url}panels/`)).status);
    expect(statuses).toEqual([503, 503, 500, 200]);
  });

  test('are only those of a path', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable, { path: 'regions' });
    expect((await fetch(`${catalogue.url}panels/`)).status).toBe(200);
    expect((await fetch(`${catalogue.url}regions/`)).status).toBe(503);
  });

  test('are none after the faults are cleared', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.fail(unavailable, { times: 9 });
    catalogue.clearFaults();
    expect((await fetch(`${catalogue.url}panels/`)).status).toBe(200);
  });
});

test('closing ends the responses under way', async () => {
  const catalogue = await aCatalogue({ lists: {} });
  catalogue.fail({ kind: 'slow', waitMs: 1_000_000 });
  const outcome = fetch(`${catalogue.url}activities/`)
    .then((response) => response.text())
    .then(
      () => 'ended',
      () => 'ended',
    );
  await catalogue.clock.nextSleep();
  await catalogue.close();
  // A response that goes on would keep the test from ending.
  expect(await outcome).toBe('ended');
});
