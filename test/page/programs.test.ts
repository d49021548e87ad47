import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { correctionOf, turnedGreen } from '../words/events.ts';
import { openPage } from './open-page.ts';

const events = [1, 2, 3, 4, 5].map((day) =>
  turnedGreen({ id: `a${day}`, time: `2026-11-1${day}T09:00:00.000000Z` }),
);
const idsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id);

test('a program follows the events page by page, and gets each as it was published, corrections too', async () => {
  const [first] = events;
  if (!first) throw new Error('no event');
  const correction = correctionOf(first, { from: 'red', to: 'green', direction: 'upgraded' }, 'a0');
  const page = await openPage([...events, correction]);
  const ids: string[] = [];
  const lines: string[] = [];
  for (let address: string | undefined = '/api/history.ndjson?limit=2'; address !== undefined; ) {
    const response = await page.get(address);
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    const text = await response.text();
    lines.push(...text.split('\n').filter((line) => line.includes('specversion')));
    ids.push(...idsIn(text));
    [, address] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
  }
  expect(ids.filter(Boolean)).toStrictEqual(['a5', 'a4', 'a3', 'a2', 'a1', 'a0']);
  expect(lines.slice(-2).map((line) => JSON.parse(line))).toStrictEqual([first, correction]);
  page.close();
});

test('entries of the worklist are those of its file, by the same filters', async () => {
  const page = await openPage(events.slice(0, 1));
  const { rows, limits } = JSON.parse(await page.text('/api/worklist'));
  expect(rows).toMatchObject([{ state: 'open', name: events[0]?.data.entity.name, revision: 0 }]);
  expect(limits.length).toBeGreaterThan(0);
  const done = JSON.parse(await page.text('/api/worklist?status=done'));
  expect([done.rows, done.isWhole]).toStrictEqual([[], false]);
  const nobody = JSON.parse(await page.text('/api/worklist?assigned=none&change=now-green'));
  expect(nobody.rows).toStrictEqual(rows);
  page.close();
});

test.each([
  ['/api/history?limit=0', 400, '“limit” is "0"; expected a whole number from 1 to 999999999.'],
  ['/api/history?before=yesterday', 400, '“before” is "yesterday"; expected a place that an answer states.'],
  ['/api/worklist?stat=open', 400, 'The address has an unknown part "stat"; expected since, until,'],
  ['/api/nothing', 404, 'There is nothing at /api/nothing.'],
])('%s is refused with problem details', async (address, status, detail) => {
  const page = await openPage();
  const response = await page.get(address);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect([response.status, await response.json()]).toMatchObject([
    status,
    { type: 'about:blank', status, detail: expect.stringContaining(detail) },
  ]);
  page.close();
});

test('what is refused before the page is asked has problem details too', async () => {
  const page = await openPage();
  const request = (headers: Readonly<Record<string, string>>, method = 'GET') =>
    page.request(new Request('http://127.0.0.1:7208/api/history', { method, headers }));
  const posted = await request({ host: '127.0.0.1:7208' }, 'POST');
  expect([posted.status, posted.headers.get('allow'), await posted.json()]).toMatchObject([
    405,
    'GET, HEAD',
    { title: 'Method not allowed', status: 405 },
  ]);
  const foreign = await request({ host: 'example.org' });
  expect([foreign.status, foreign.headers.get('content-type')]).toStrictEqual([
    421,
    'application/problem+json',
  ]);
  page.close();
});

test('the OpenAPI document is valid, and states every option of every address', async () => {
  const page = await openPage(events);
  const document = JSON.parse(await page.text('/api/openapi.json'));
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect([valid, errors]).toStrictEqual([true, undefined]);
  const forCommands = ['pairs', 'oldest-first', 'cases', 'columns', 'date-format', 'zone', 'strict'];
  for (const [path, { get }] of Object.entries<{ get: { parameters: { name: string }[] } }>(document.paths)) {
    const named = get.parameters.map(({ name }) => name);
    const refused = JSON.parse(await (await page.get(`${path}?nosuchoption=1`)).text());
    const [, expected = ''] = /expected (.*)\.$/.exec(refused.detail) ?? [];
    // What is for the command alone is no part of an address.
    const taken = expected.split(', ').filter((name) => !forCommands.includes(name));
    expect(named).toStrictEqual([...taken, 'catalogue']);
  }
  page.close();
});
