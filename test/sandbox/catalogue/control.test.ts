import { describe, expect, test } from 'vitest';
import { aCatalogue, namesOn, pageOf, someRows } from './running-catalogue.ts';

describe('rows', () => {
  test('appear where their time places them, between two page requests', async () => {
    const catalogue = await aCatalogue({ lists: { activities: someRows(4) }, pageSize: 2 });
    const seen: string[] = [];
    catalogue.onRequest(({ path }) => {
      seen.push(path);
      if (seen.length === 2)
        catalogue.addRows([{ ...someRows(1)[0], created: '2026-02-01T00:00:00Z', entity_name: 'N' }]);
    });
    expect(await namesOn(`${catalogue.url}activities/`)).toEqual(['G0', 'G1']);
    expect(await namesOn(`${catalogue.url}activities/?page=2`)).toEqual(['G1', 'G2']);
    expect(seen).toEqual(['/api/v1/activities/', '/api/v1/activities/?page=2']);
  });

  test('without a time get the present time, or an earlier one', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    catalogue.addRows([{ entity_name: 'now', panel_id: 1 }]);
    catalogue.addRows([{ entity_name: 'late', panel_id: 1 }], { lateMs: 60_000 });
    const { results } = await pageOf(`${catalogue.url}activities/`);
    expect(results).toEqual([
      { created: '2026-11-20T09:00:00Z', entity_name: 'now', panel_id: 1 },
      { created: '2026-11-20T08:59:00Z', entity_name: 'late', panel_id: 1 },
    ]);
  });

  test('that are invalid are served too, at the present time', async () => {
    const catalogue = await aCatalogue({ lists: { activities: someRows(1) } });
    catalogue.addRows([{ created: 'yesterday', nonsense: true }]);
    expect((await pageOf(`${catalogue.url}activities/`)).results[0]).toEqual({
      created: 'yesterday',
      nonsense: true,
    });
  });

  test('get times in the zone of the catalogue', async () => {
    const catalogue = await aCatalogue({ lists: {}, zone: 'sydney' });
    catalogue.addRows([{ panel_id: 1 }]);
    expect((await pageOf(`${catalogue.url}activities/`)).results[0]?.created).toBe(
      '2026-11-20T20:00:00+11:00',
    );
  });
});

test('a hidden panel is in no list until it is shown again', async () => {
  const panels = [{ id: 1 }, { id: 2 }];
  const lists = { activities: someRows(4), panels, regions: panels.map((panel) => ({ panel })) };
  const catalogue = await aCatalogue({ lists });
  const counts = (): Promise<number[]> =>
    Promise.all(
      ['activities', 'panels', 'regions'].map(
        async (list) => (await pageOf(`${catalogue.url}${list}/`)).count,
      ),
    );
  catalogue.hidePanel(2);
  expect(await counts()).toEqual([2, 1, 1]);
  catalogue.revealPanel(2);
  expect(await counts()).toEqual([4, 2, 2]);
});

describe('requests', () => {
  test('are listed with method, path, time and headers, and without credentials', async () => {
    const catalogue = await aCatalogue({ lists: {} });
    const secret = 'canary-8d1f';
    await fetch(`${catalogue.url}panels/?page=1`, {
      method: 'HEAD',
      headers: {
        'User-Agent': 'me/1.0',
        Authorization: `Bearer ${secret}`,
        Cookie: `a=${secret}`,
        'X-Api-Key': secret,
        'X-Access-Token': secret,
      },
    });
    expect(catalogue.requests).toMatchObject([
      {
        method: 'HEAD',
        path: '/api/v1/panels/?page=1',
        time: '2026-11-20T09:00:00.000Z',
        headers: { 'user-agent': 'me/1.0' },
      },
    ]);
    expect(JSON.stringify(catalogue.requests)).not.toContain(secret);
    catalogue.forgetRequests();
    expect(catalogue.requests).toEqual([]);
  });

  test('call the listener before they are answered, and the response waits', async () => {
    const order: string[] = [];
    const { url } = await aCatalogue({
      lists: {},
      onRequest: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('heard');
      },
    });
    await fetch(`${url}panels/`);
    order.push('answered');
    expect(order).toEqual(['heard', 'answered']);
  });
});

describe('over HTTP', () => {
  const post = (address: string, body?: unknown): Promise<Response> =>
    fetch(address, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

  test('everything can be changed', async () => {
    const { url, requests } = await aCatalogue({ lists: { activities: someRows(2), panels: [{ id: 1 }] } });
    const sandbox = new URL('/sandbox/', url).href;
    const routes = (await (await fetch(sandbox)).json()) as Record<string, string>;
    expect(Object.keys(routes).length).toBe(9);

    expect(
      await (
        await post(`${sandbox}rows`, { rows: [{ entity_name: 'N', panel_id: 1 }], lateSeconds: 5 })
      ).json(),
    ).toEqual({ added: 1 });
    expect((await pageOf(`${url}activities/`)).results[0]).toMatchObject({ created: '2026-11-20T08:59:55Z' });

    await post(`${sandbox}panels/1/hide`);
    expect((await pageOf(`${url}activities/`)).count).toBe(1);
    await post(`${sandbox}panels/1/reveal`);
    expect((await pageOf(`${url}activities/`)).count).toBe(3);

    await post(`${sandbox}faults`, { fault: { kind: 'status', status: 503 }, times: 2, path: 'panels' });
    expect((await fetch(`${url}panels/`)).status).toBe(503);
    expect((await fetch(`${url}activities/`)).status).toBe(200);
    await fetch(`${sandbox}faults`, { method: 'DELETE' });
    expect((await fetch(`${url}panels/`)).status).toBe(200);

    const seen = (await (await fetch(`${sandbox}requests`)).json()) as { requests: unknown[] };
    expect(seen.requests.length).toBe(6);
    await fetch(`${sandbox}requests`, { method: 'DELETE' });
    expect(requests).toEqual([]);
  });

  test.each([
    ['rows', { rows: [] }, 400],
    ['rows', { lines: [] }, 400],
    ['faults', { fault: { kind: 'flood' } }, 400],
    ['act', { times: 0 }, 400],
    ['act', {}, 409],
  ])('%s with %j is refused', async (path, body, status) => {
    const { url } = await aCatalogue({ lists: {} });
    const response = await post(new URL(`/sandbox/${path}`, url).href, body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: string }).error.length).toBeGreaterThan(10);
  });

  test('a body that is not JSON is refused', async () => {
    const { url } = await aCatalogue({ lists: {} });
    const response = await fetch(new URL('/sandbox/rows', url), { method: 'POST', body: '{' });
    expect([response.status, await response.json()]).toEqual([400, { error: 'the body is not JSON: {' }]);
  });
});
