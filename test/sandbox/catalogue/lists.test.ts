import { describe, expect, test } from 'vitest';
import { aCatalogue, namesOn, pageOf, someRows } from './running-catalogue.ts';

describe('a page', () => {
  test('is a hundred items in an envelope whose addresses keep the query', async () => {
    const { url } = await aCatalogue({ lists: { activities: someRows(250) } });
    const first = await pageOf(`${url}activities/?format=api`);
    expect(Object.keys(first)).toEqual(['count', 'next', 'previous', 'results']);
    expect(first).toMatchObject({ count: 250, next: `${url}activities/?format=api&page=2`, previous: null });
    expect(first.results.length).toBe(100);
    const second = await pageOf(first.next ?? '');
    expect(second).toMatchObject({
      next: `${url}activities/?format=api&page=3`,
      previous: `${url}activities/?format=api`,
    });
    const third = await pageOf(second.next ?? '');
    expect(third).toMatchObject({ next: null, previous: `${url}activities/?format=api&page=2` });
    expect(third.results.length).toBe(50);
  });

  test('has the rows as given, with the same order of keys', async () => {
    const [row] = someRows(1);
    const { url } = await aCatalogue({ lists: { activities: [row] } });
    expect(await (await fetch(`${url}activities/`)).text()).toBe(
      `{"count":1,"next":null,"previous":null,"results":[${JSON.stringify(row)}]}`,
    );
  });

  test('has the configured size', async () => {
    const { url } = await aCatalogue({ lists: { activities: someRows(5) }, pageSize: 2 });
    expect(await namesOn(`${url}activities/?page=3`)).toEqual(['G4']);
  });

  test('escapes only the line separators of JavaScript', async () => {
    const { url } = await aCatalogue({
      lists: { activities: [{ ...someRows(1)[0], text: 'é\u2028\u2029𝔄' }] },
    });
    expect(await (await fetch(`${url}activities/`)).text()).toContain('"text":"é\\u2028\\u2029𝔄"');
  });

  test.each(['panels', 'regions'])('of %s is the same', async (list) => {
    const items = Array.from({ length: 3 }, (_, id) => ({ id, panel: { id } }));
    const { url } = await aCatalogue({ lists: { [list]: items }, pageSize: 2 });
    expect(await pageOf(`${url}${list}/?page=2`)).toEqual({
      count: 3,
      next: null,
      previous: `${url}${list}/`,
      results: [items[2]],
    });
  });

  test('of an empty list is valid', async () => {
    const { url } = await aCatalogue({ lists: {} });
    expect(await pageOf(`${url}regions/`)).toEqual({ count: 0, next: null, previous: null, results: [] });
  });
});

describe('a missing page', () => {
  test.each(['3', '0', '-1', '1.5', 'abc', '', '1e1'])('page=%s is 404 with a detail', async (page) => {
    const { url } = await aCatalogue({ lists: { activities: someRows(150) } });
    const response = await fetch(`${url}activities/?page=${page}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ detail: 'Invalid page.' });
  });

  test.each(['genes/', '', 'activities/1/'])('/api/v1/%s is 404 with a detail', async (path) => {
    const { url } = await aCatalogue({ lists: {} });
    const response = await fetch(url + path);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Not found.' }]);
  });
});

describe('methods and headers', () => {
  test('a response has the headers of the real catalogue', async () => {
    const { url } = await aCatalogue({ lists: { activities: someRows(1) } });
    const { headers } = await fetch(`${url}activities/`);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('vary')).toBe('Accept, Origin, Cookie');
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('date')).toBe('Fri, 20 Nov 2026 09:00:00 GMT');
    expect(headers.get('etag')).toBeNull();
  });

  test('HEAD has the length of the body and no body', async () => {
    const { url } = await aCatalogue({ lists: { activities: someRows(1) } });
    const body = await (await fetch(`${url}activities/`)).text();
    const head = await fetch(`${url}activities/`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    expect(await head.text()).toBe('');
  });

  test('OPTIONS describes the list', async () => {
    const { url } = await aCatalogue({ lists: {} });
    const response = await fetch(`${url}panels/`, { method: 'OPTIONS' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await response.json()).toMatchObject({ name: 'Panels List' });
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is 405', async (method) => {
    const { url } = await aCatalogue({ lists: {} });
    const response = await fetch(`${url}activities/`, { method });
    expect(response.status).toBe(405);
    expect(await response.json()).toEqual({ detail: `Method "${method}" not allowed.` });
  });

  test('an address without its last slash is redirected, query and all', async () => {
    const { url } = await aCatalogue({ lists: {} });
    const response = await fetch(`${url}activities?page=2`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, '/api/v1/activities/?page=2']);
  });
});

describe('access', () => {
  test('a refusal by authorise is sent with its headers', async () => {
    const { url } = await aCatalogue({
      lists: {},
      authorise: (request) =>
        request.headers.get('authorization') === 'Token abc'
          ? undefined
          : Response.json({ detail: 'No.' }, { status: 401, headers: { 'WWW-Authenticate': 'Token' } }),
    });
    const refused = await fetch(`${url}panels/`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Token']);
    expect((await fetch(`${url}panels/`, { headers: { Authorization: 'Token abc' } })).status).toBe(200);
  });

  test('the server listens on 127.0.0.1 only', async () => {
    const { url } = await aCatalogue({ lists: {} });
    expect(new URL(url).hostname).toBe('127.0.0.1');
  });
});
