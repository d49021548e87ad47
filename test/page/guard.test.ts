import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guarded } from '../../page/guard.ts';
import { breast, eventOf, turnedGreen } from '../words/events.ts';
import { hostileTexts } from '../words/hostile-texts.ts';
import { type OpenedPage, openPage } from './open-page.ts';

let page: OpenedPage;
beforeEach(async () => {
  page = await openPage([turnedGreen({ id: 'a1' })]);
});
afterEach(() => page.close());

describe('who may read the page', () => {
  test.each([
    ['127.0.0.1:7208', 200],
    ['127.0.0.1', 200],
    ['localhost:7208', 200],
    ['LOCALHOST', 200],
    ['[::1]:7208', 200],
    ['evil.example', 421],
    ['evil.example:7208', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example:7208', 421],
    ['192.168.1.5:7208', 421],
    ['user@localhost', 200],
    ['localhost/../evil', 200],
    ['', 421],
  ])('host "%s" is answered with %i', async (host, status) => {
    expect((await page.get('/', { host })).status).toBe(status);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
    const request = new Request('http://127.0.0.1:7208/', { method, headers: { host: '127.0.0.1:7208' } });
    const response = await page.request(request);
    expect([response.status, response.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD']);
  });

  test('HEAD answers as GET does, without a body', async () => {
    const request = new Request('http://127.0.0.1:7208/', { method: 'HEAD', headers: { host: 'localhost' } });
    const response = await page.request(request);
    expect([response.status, await response.text()]).toStrictEqual([200, '']);
  });
});

describe('what the page allows a browser', () => {
  test.each([
    '/',
    '/?to=blue',
    '/nowhere',
    '/page.css',
    '/live?after=0',
    '/events.csv',
    '/event/a1/json',
    '/event/a1/mail',
  ])('%s loads nothing from elsewhere, and runs nothing inline', async (address) => {
    const { headers } = await page.get(address);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['https://panels.example.org', 'max-age=31536000'],
    ['http://127.0.0.1:7208', null],
  ])('%s is asked by HTTPS for a year: %s', async (address, expected) => {
    const site = { kind: 'address', address: new URL(address) } as const;
    const request = new Request(address, { headers: { host: new URL(address).host } });
    const guards = { site, largestForm: () => null, machinePaths: new Set<string>() };
    const { headers } = await guarded(request, guards, () => new Response('x'));
    expect(headers.get('strict-transport-security')).toBe(expected);
  });

  test('no view has a style or a script of its own, or an address elsewhere that a browser would load', async () => {
    for (const address of [
      '/',
      '/?open=a1',
      '/?open=a1&show=slack',
      '/report',
      '/watcher',
      '/panel/uk/635',
      '/nowhere',
    ]) {
      const html = await (await page.get(address)).text();
      expect(html, address).toContain('<main id="main"');
      expect(html).not.toMatch(
        /<style|<script(?! type="module" src="\/browser\/page\.js"><\/script>)| style="| on[a-z]+="/,
      );
      expect(html).not.toMatch(/(?:src|<link[^>]*href)="(?!\/)/);
    }
  });

  test('the digest is that of the style sheet in the mail', async () => {
    const response = await page.get('/event/a1/mail');
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(await response.text()) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(style.length).toBeGreaterThan(500);
    expect(response.headers.get('content-security-policy')).toContain(`'sha256-${digest}'`);
  });

  test('every style sheet of the folder is served', async () => {
    const style = await page.text('/page.css');
    const sheets = globSync('page/browser/*.css');
    expect(sheets.filter((sheet) => !style.includes(readFileSync(sheet, 'utf8')))).toStrictEqual([]);
    expect(sheets.length).toBeGreaterThan(8);
  });

  test('the script loads modules that are there, and an unchanged file is not sent again', async () => {
    const left = ['/browser/page.js'];
    for (const address of left) {
      const script = await page.text(address);
      for (const [, , name = ''] of script.matchAll(/^import (.* from )?'(\.\/[\w-]+\.js)'/gm)) {
        const next = new URL(name, `http://127.0.0.1${address}`).pathname;
        if (!left.includes(next)) left.push(next);
      }
    }
    expect(left.length).toBeGreaterThan(1);
    expect(await page.text('/page.css')).toMatch(/--green-text: #\w{6};[\s\S]*@media print/);
    const etag = (await page.get('/browser/page.js')).headers.get('etag') ?? '';
    expect((await page.get('/browser/page.js', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('text of the catalogue stays text', () => {
  test.each(hostileTexts)('%s', async (_name, text) => {
    const panel = { ...breast, name: text, version: text, relevantDisorders: [`R1 ${text}`] };
    const parts = { panel, gene: text, actor: text, rowText: text };
    const opened = await openPage([
      turnedGreen({ ...parts, id: 'a1' }),
      eventOf('entity.commented', { comment: text, action: 'added' }, { ...parts, id: 'a2' }),
      eventOf('entity.tags-changed', { added: [text], removed: [] }, { ...parts, id: 'a3' }),
      eventOf('activity.unclassified', { reason: 'unknown-text', row: { text } }, { ...parts, id: 'a4' }),
    ]);
    const query = new URLSearchParams({ q: text.slice(0, 500), gene: text.slice(0, 500), since: 'all' });
    const addresses = [
      '/',
      ...['', 'mail', 'slack', 'teams', 'json'].map((show) => `/?open=a2${show && `&show=${show}`}`),
      '/?open=a4',
      '/report',
      '/panel/uk/635',
      `/?${query}`,
      `/panel/${encodeURIComponent(text.slice(0, 100).toWellFormed())}/1`,
    ];
    for (const address of addresses) {
      const response = await opened.get(address);
      // The page answers with the one address of a view, whose parameters have another order.
      const canonical = response.headers.get('location');
      const html = await (canonical === null ? response : await opened.get(canonical)).text();
      expect(html, address).toContain('<main id="main"');
      expect(html.length, address).toBeLessThan(400_000);
      expect(html).not.toMatch(
        /<img|<script(?! type="module" src="\/browser)|<a href="https:\/\/evil| on(?:error|mouseover)="/,
      );
      const shown = html.replace(/\n/g, '');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b\u000e-\u001f\u202a-\u202e\u2066-\u2069]/);
    }
    opened.close();
  });
});
