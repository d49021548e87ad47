import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventOf, turnedGreen } from '../words/events.ts';
import { type OpenedPage, openPage } from './open-page.ts';

let page: OpenedPage;
beforeEach(async () => {
  page = await openPage([turnedGreen({ id: 'a1' })]);
});
afterEach(() => page.close());

const names = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name}=x${index}`).join('&');

describe('an address with too much in it is refused in few bytes', () => {
  test.each([
    ['1,400 panels', `/?${names('panel', 1_400)}`, 'has 1,400 values'],
    ['1,400 genes with commas', `/?gene=${names('x', 1_400).replaceAll('&', ',')}`, 'has 1,400 values'],
    ['a search of 300 letters', `/?q=${'a'.repeat(300)}`, '“q” has 300 characters; expected at most 200'],
    ['a curator of 5,000 letters', `/?actor=${'a'.repeat(5_000)}`, '“actor” has 5,000 characters'],
    ['40 long tags', `/?${names(`tag=${'a'.repeat(150)}`, 40).replaceAll('=x', 'x')}`, '40 values in'],
    ['a panel of 300 letters', `/report?panel=${'a'.repeat(300)}`, 'at most 200'],
    ['the CSV of 1,400 panels', `/events.csv?${names('panel', 1_400)}`, 'has 1,400 values'],
    ['a live stream of 1,400 panels', `/live?${names('panel', 1_400)}`, 'has 1,400 values'],
  ])('%s', async (_name, address, sentence) => {
    const response = await page.get(address);
    const html = await response.text();
    expect([response.status, html.length < 10_000]).toStrictEqual([400, true]);
    expect(html).toContain(sentence);
  });
});

test('the longest address that is allowed gives a view of less than 4 MB', async () => {
  await page.append(
    ...Array.from({ length: 300 }, (_, index) =>
      eventOf('entity.tags-changed', { added: [`tag ${index}`], removed: [] }, { gene: `GENE${index}` }),
    ),
  );
  const genes = Array.from({ length: 197 }, (_, index) => `gene=${`GENE${index}`.padEnd(14, 'x')}`);
  const html = await page.text(`/?${genes.join('&')}&gene=GENE1&gene=GENE2&since=all`);
  expect(html.length).toBeGreaterThan(500_000);
  expect(html.length).toBeLessThan(4_000_000);
});

describe('what requests hold together is bounded', () => {
  test('of many at once, sixteen are made and the others wait for their turn', async () => {
    const asked = Array.from({ length: 40 }, () => page.get('/'));
    const first = await Promise.all(asked.slice(0, 16));
    let answered = 0;
    for (const each of asked.slice(16)) void each.then(() => answered++);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(0);
    for (const response of first) await response.text();
    for (const each of asked.slice(16)) expect((await (await each).text()).length).toBeGreaterThan(1_000);
  });

  test('a request that finds no place to wait is answered 503, and the next one is served again', async () => {
    const asked = Array.from({ length: 130 }, () => page.get('/'));
    const refused = await Promise.all(asked.slice(116));
    expect(refused.map(({ status }) => status)).toStrictEqual(Array(14).fill(503));
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    for (const each of asked.slice(0, 116)) await (await each).body?.cancel();
    expect((await page.get('/')).status).toBe(200);
  });

  test('live streams have places of their own, and leave them when the reader does', async () => {
    const streams = await Promise.all(Array.from({ length: 64 }, () => page.get('/live?after=0')));
    expect((await page.get('/live?after=0')).status).toBe(503);
    expect(await page.text('/')).toContain('BRCA1');
    await streams[0]?.body?.cancel();
    expect((await page.get('/live?after=0')).status).toBe(200);
  });

  test('an answer without a body, one that fails and one to HEAD leave their places', async () => {
    for (let time = 0; time < 40; time++) {
      expect((await page.get('/?gene=&since=all')).status).toBe(302);
      const request = new Request('http://127.0.0.1:7208/', {
        method: 'HEAD',
        headers: { host: 'localhost' },
      });
      expect((await page.request(request)).status).toBe(200);
      await (await page.get('/?to=blue')).text();
    }
  });
});

describe('another site may link to the page, and load nothing of it', () => {
  test.each([
    ['a link on another site', { site: 'cross-site', mode: 'navigate', dest: 'document' }, 200],
    ['a link on another port', { site: 'same-site', mode: 'navigate', dest: 'document' }, 200],
    ['an address that was typed', { site: 'none', mode: 'navigate', dest: 'document' }, 200],
    ['the page itself', { site: 'same-origin', mode: 'cors', dest: 'empty' }, 200],
    ['a picture on another site', { site: 'cross-site', mode: 'no-cors', dest: 'image' }, 403],
    ['a script on another port', { site: 'same-site', mode: 'no-cors', dest: 'script' }, 403],
    ['a frame on another site', { site: 'cross-site', mode: 'navigate', dest: 'iframe' }, 403],
    ['a request of a script elsewhere', { site: 'cross-site', mode: 'cors', dest: 'empty' }, 403],
  ])('%s', async (_name, { site, mode, dest }, status) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    expect((await page.get('/', headers)).status).toBe(status);
  });
});
