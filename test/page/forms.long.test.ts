import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadArchiveRecord, updateArchiveRecord } from '../../lambdas/panels/archive-record.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { servePage } from '../../page/listen.ts';
import { createPage } from '../../page/page.ts';
import { selfSigned } from '../../sandbox/http.ts';
import { users } from '../../sandbox/identity/accounts.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { freePort } from '../aws/emulator.ts';
import { browserSession } from './browser-session.ts';
import { openCases } from './open-cases.ts';
import { startProxy } from './proxy.ts';
import { walkForms } from './walk-forms.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

const tls = selfSigned({
  host: 'localhost',
  from: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2046-01-01T00:00:00Z'),
});
type Team = Awaited<ReturnType<typeof openCases>>['team'];

/** How a browser reaches the page of a team. */
const ways: Readonly<Record<string, (team: Team, port: number) => Promise<unknown>>> = {
  http: (team) => team.serve(),
  https: (team) => team.serve({ tls }),
  async 'https, by a proxy that hides referrers'(team, port) {
    const { url } = await team.serve({ port: 0 });
    await startProxy(url, { port, tls, set: { 'referrer-policy': 'no-referrer' } });
  },
  async 'http, without a sign-in'({ file, clock }, port) {
    const served = await servePage({ file, clock, zone: 'Europe/London' }, { port });
    onTestFinished(() => served.close());
  },
  async 'http, under a name'({ file, clock }, port) {
    const served = await servePage({ file, clock, zone: 'Europe/London' }, { port, as: 'Ann Example' });
    onTestFinished(() => served.close());
  },
};

/** Has a catalogue asked for states again: a form of the page “Watcher” where it serves none of late. */
const ASK_AGAIN = '/watcher/ask-again';

/** What answers with no view, or to programs. */
const noViews =
  /\.csv$|^\/(?:state\/files\/:format|api\/.*|worklist\/report|live|names|event\/:id\/:form|page\.css|icon\.svg|browser\/.*|\*)$/;

describe('every form of every view is taken from', () => {
  test.each([
    ['a reader', 'http', 'without script', 'scientistEngland'],
    ['a decider', 'http', 'without script', 'managerScotland'],
    ['a decider', 'http', 'with script', 'managerScotland'],
    ['a decider', 'https', 'without script', 'managerScotland'],
    ['a decider', 'https, by a proxy that hides referrers', 'without script', 'managerScotland'],
    ['the user of this machine', 'http, without a sign-in', 'without script', null],
    ['the user of this machine', 'http, without a sign-in', 'with script', null],
    ['the user of this machine who decides', 'http, under a name', 'without script', null],
  ] as const)('%s, over %s, %s', async (who, way, script, user) => {
    const port = await freePort();
    const origin = `${way.startsWith('https') ? 'https' : 'http'}://127.0.0.1:${port}`;
    const { team } = await openCases(origin);
    await ways[way]?.(team, port);
    const { file, clock } = team;
    const documents = createSqliteDocuments(file, 'uk');
    const refused = { since: 0, until: clock.now() + 86_400_000, why: 'answered HTML' };
    await updateArchiveRecord(documents, (record) => ({ ...record, answered: true, off: refused }));
    const { routes } = createPage({ file, clock, zone: 'UTC', signal: AbortSignal.abort() });
    const paths = routes.map(({ path }) => path).filter((path) => path !== '/*');
    const page = await browser.newPage({
      javaScriptEnabled: script === 'with script',
      ignoreHTTPSErrors: true,
    });
    // No person asks for more than ten things a second.
    page.on('request', () => clock.pass(100));
    if (user !== null) {
      await page.goto(origin);
      await page.getByRole('button', { name: users[user].name }).click();
    }
    const { views, forms } = await walkForms(page, origin, (path) => routeOf(paths, path));
    await page.close();

    expect([...views, ...forms].filter(([, status]) => status !== 200)).toStrictEqual([]);
    const opened = new Set([...views.keys()].map((address) => routeOf(paths, new URL(address).pathname)));
    const unopened = routes.filter(
      ({ method, path }) => method === 'GET' && !noViews.test(path) && !opened.has(path),
    );
    expect(unopened.map(({ path }) => path)).toStrictEqual(user === null ? ['/my-panels', '/programs'] : []);
    const posted = [...forms.keys()].filter((key) => key.startsWith('post')).map((key) => key.split(' ')[1]);
    const taken = routes.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const ofPeople = ['/impact', '/my-panels', '/programs', '/sign-out'];
    const expected = {
      'a reader': ofPeople,
      'a decider': [...taken, '/sign-out'],
      'the user of this machine': ['/impact', ASK_AGAIN],
      'the user of this machine who decides': [
        ...['/impact', ASK_AGAIN, '/worklist/assign', '/worklist/comment', '/worklist/decide'],
      ],
    };
    expect(new Set(posted)).toStrictEqual(new Set(expected[who]));
    const { off } = await loadArchiveRecord(documents);
    expect(off === null).toBe(posted.includes(ASK_AGAIN));
  });
});

test.each([
  ['a page', 'http://127.0.0.1', ''],
  ['a page of another host', 'http://localhost', ''],
  ['a page that hides where it is', 'http://localhost', '<meta name="referrer" content="no-referrer">'],
])('a form on %s at another port is refused', async (_which, host, head) => {
  const port = await freePort();
  const { team } = await openCases(`http://127.0.0.1:${port}`);
  await ways['http, without a sign-in']?.(team, port);
  const form = `${head}<form method="post" action="http://127.0.0.1:${port}/impact"><input name="token"><button>Win</button></form>`;
  const elsewhere = createServer((_asked, answer) => {
    answer.setHeader('content-type', 'text/html').end(`<!doctype html>${form}`);
  });
  await once(elsewhere.listen(0), 'listening');
  onTestFinished(() => {
    elsewhere.closeAllConnections();
    elsewhere.close();
  });
  const page = await browser.newPage();
  await page.goto(`${host}:${(elsewhere.address() as AddressInfo).port}/`);
  await page.getByRole('button', { name: 'Win' }).click();
  expect(await page.locator('body').innerText()).toContain('Another site sent this form');
  await page.close();
});

test('the tests without a browser state where a form comes from as Chromium does', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  for (const policy of ['same-origin', 'no-referrer']) {
    const sent: Headers[] = [];
    const form = '<form method="post"><button>Send</button></form>';
    const answer = async (asked: Request): Promise<Response> => {
      if (asked.method === 'POST') sent.push(asked.headers);
      return new Response(form, { headers: { 'content-type': 'text/html', 'referrer-policy': policy } });
    };
    const server = createAdaptorServer({ fetch: answer, overrideGlobalObjects: false });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.close();
    server.close();
    const session = browserSession(answer, origin);
    await session.open('/');
    await session.send('/', {});
    const [real, made] = sent.map((headers) => [headers.get('origin'), headers.get('sec-fetch-site')]);
    expect(made).toStrictEqual(real);
  }
});

/** The route that answers a path: the exact one before one with a parameter. */
function routeOf(paths: readonly string[], path: string): string | null {
  if (paths.includes(path)) return path;
  const pattern = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
  return paths.find((route) => route.includes(':') && pattern(route).test(path)) ?? null;
}
