import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { questions } from '../../lambdas/questions/all.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { tokenIn } from './browser-session.ts';
import { openCases, sendCases } from './open-cases.ts';
import { ORIGIN } from './team-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const findings = `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`;

/** The views of a team, each as a browser got it. */
async function viewsOfTeam(): Promise<ReadonlyMap<string, string>> {
  const { team, browser: reader, token } = await openCases();
  const decider = team.browser();
  await team.signIn(decider, 'managerScotland');
  const open = async (address: string, session = decider): Promise<string> =>
    (await session.open(address)).text();
  const list = await open('/worklist');
  const [, entry = ''] = /name="entry" value="([0-9a-f]{32})/.exec(list) ?? [];
  const own = { token: tokenIn(list), entry };
  await decider.send('/worklist/comment', { ...own, text: 'Asked the clinic' });
  const decision = { token: own.token, entry: `${entry}:0`, state: 're-analyse', why: 'two cases' };
  const decided = await (await decider.send('/worklist/decide', decision)).text();
  const raced = await (await decider.send('/worklist/decide', { ...decision, why: 'other' })).text();
  await decider.send('/my-panels', { token: own.token, panel: '635' });
  const text = 'case,panel,version\na,R208,4.0\nb,635,3.9\n';
  const ask = async (as: string): Promise<string> => (await sendCases(reader, { text, as, token })).text();
  const views = new Map([
    ['worklist', list],
    ['worklist of every state', await open('/worklist?state=all')],
    ['entry', await open(`/worklist/${entry}`)],
    ['entry of a reader', await open(`/worklist/${entry}`, reader)],
    ['decided', decided],
    ['raced', raced],
    ['my panels', await open('/my-panels')],
    ['programs', await open('/programs')],
    ['cases', await open('/impact', reader)],
    ['cases by change', await ask('change')],
    ['cases by case', await ask('case')],
    ['cases refused', await (await sendCases(reader, { text: 'x', token })).text()],
    ...(await Promise.all(
      Object.keys(questions).flatMap((name) =>
        ['', '?panel=Nonsens', '?panel=635&r-code=R208'].map(
          async (asked) => [`${name}${asked}`, await open(`/${name}${asked}`)] as const,
        ),
      ),
    )),
    ['no such entry', await open('/worklist/abc')],
    ['not found', await open('/nowhere')],
    ['sign-in refused', await open('/signed-in?error=access_denied', team.browser())],
    ['form too old', await (await decider.send('/worklist/comment', { ...own, token: 'x' })).text()],
  ]);
  const signedOut = await decider.send('/sign-out', { token: own.token });
  return views.set('signed out', await signedOut.text());
}

describe('the views of a team', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  test('have no fault that axe finds and fit 360 pixels, in light and dark', async () => {
    const views = await viewsOfTeam();
    const { team } = await openCases();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({
        viewport: { width: 360, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      let shown = '';
      await page.route('**/*', async (route) => {
        const url = new URL(route.request().url());
        if (url.pathname === '/shown') return route.fulfill({ contentType: 'text/html', body: shown });
        const response = await team.answer(new Request(url, { headers: { host: url.host } }));
        const headers = Object.fromEntries(response.headers);
        return route.fulfill({
          status: response.status,
          headers,
          body: Buffer.from(await response.arrayBuffer()),
        });
      });
      for (const [name, html] of views) {
        shown = html;
        await page.goto(`${ORIGIN}/shown`);
        expect(await page.locator('h1').count(), `${name}: ${html.slice(0, 300)}`).toBe(1);
        await page.evaluate(axe);
        const own = (await page.evaluate(findings)) as readonly string[];
        found.push(...own.map((each) => `${name}, ${colorScheme}: ${each}`));
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        if (Number(wide) > 360) found.push(`${name}, ${colorScheme}: ${wide} pixels wide`);
      }
      await page.close();
    }
    expect(found).toStrictEqual([]);
  });

  test('a decider prints the entries of the worklist', async () => {
    const views = await viewsOfTeam();
    const page = await browser.newPage();
    await page.route('**/*', (route) => {
      const url = new URL(route.request().url());
      if (url.pathname === '/shown')
        return route.fulfill({ contentType: 'text/html', body: views.get('worklist') ?? '' });
      if (url.pathname !== '/page.css') return route.abort();
      return route.fulfill({
        contentType: 'text/css',
        body: readFileSync(new URL('../../page/browser/print.css', import.meta.url)),
      });
    });
    await page.goto(`${ORIGIN}/shown`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('h3 a', { hasText: 'BRCA1 now green' }).isVisible()).toBe(true);
    expect(await page.locator('.deciding').isVisible()).toBe(false);
    await page.close();
  });
});
