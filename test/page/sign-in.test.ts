import { describe, expect, test } from 'vitest';
import { proxyAccess } from '../../page/sign-in/access.ts';
import { createTestClock } from '../run/test-clock.ts';
import { browserSession, tokenIn } from './browser-session.ts';
import { accessSettings, chosenUser, ORIGIN, openTeamPage, pageOf } from './team-page.ts';

describe('people who sign in by an identity provider', () => {
  test('are led to it and back to the view that they asked for', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    const asked = await browser.open('/report?panel=635');
    expect([asked.status, asked.headers.get('location')]).toStrictEqual([
      302,
      '/sign-in?to=%2Freport%3Fpanel%3D635',
    ]);
    const begun = await browser.open(String(asked.headers.get('location')));
    const there = new URL(String(begun.headers.get('location')));
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${ORIGIN}/signed-in`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await browser.open(await chosenUser(there.href, 'managerScotland'));
    expect([back.status, back.headers.get('location')]).toStrictEqual([302, '/report?panel=635']);
    expect([...browser.cookies.keys()]).toStrictEqual(['session']);
    const page = await (await browser.open('/')).text();
    expect(page).toContain('<span class="person">Morag Manager, decider</span>');
    expect(page).toContain('BRCA1');
    expect(team.audit()).toStrictEqual([
      expect.objectContaining({ action: 'signed-in', name: 'Morag Manager', role: 'decider' }),
    ]);
  });

  test.each([
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/.//evil.example', '/'],
    ['/..//evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['/.\t//evil.example', '/'],
    ['/.//evil.example?to=/report', '/'],
    ['/panel/uk/635?version=4.12', '/panel/uk/635?version=4.12'],
  ])('who asked for %j are led to %j after the sign-in', async (to, led) => {
    const team = await openTeamPage();
    const response = await team.signIn(team.browser(), 'scientistEngland', to);
    expect(response.headers.get('location')).toBe(led);
  });

  test('have a cookie that no script reads and no other site sends with a form', async () => {
    const team = await openTeamPage();
    const response = await team.signIn(team.browser(), 'scientistEngland');
    const [cookie = ''] = response.headers.getSetCookie().filter((one) => one.startsWith('session='));
    expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('without a role may not read, and learn which claim is missing', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    const response = await team.signIn(browser, 'withoutRole');
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Nora Norole, who has no role here');
    expect((await browser.open('/')).status).toBe(302);
    expect(team.audit()).toMatchObject([{ action: 'sign-in-refused', why: 'no role of the page' }]);
  });

  test('who refuse at the provider are not signed in', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    const begun = await browser.open('/sign-in');
    const state = new URL(String(begun.headers.get('location'))).searchParams.get('state');
    const back = await browser.open(`/signed-in?error=access_denied&state=${state}`);
    expect(back.status).toBe(403);
    expect(await back.text()).toContain('access_denied');
    expect((await browser.open('/')).status).toBe(302);
  });

  test('sign in again after ten hours, or two hours without a request', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'scientistEngland');
    for (let hour = 0; hour < 9; hour++) {
      team.clock.pass(3_600_000);
      expect((await browser.open('/')).status).toBe(200);
    }
    team.clock.pass(3_600_000);
    expect((await browser.open('/')).status).toBe(302);
    await team.signIn(browser, 'scientistEngland');
    team.clock.pass(2 * 3_600_000);
    expect((await browser.open('/')).status).toBe(302);
  });

  test('are signed out in time where a tab only listens, and not while they do something', async () => {
    const team = await openTeamPage({ idleMinutes: 1 });
    const [listener, reader] = [team.browser(), team.browser()];
    await team.signIn(listener, 'scientistEngland');
    await team.signIn(reader, 'managerScotland');
    for (let seconds = 0; seconds < 65; seconds += 5) {
      team.clock.pass(5_000);
      const live = await listener.open('/live?after=0', { accept: 'text/event-stream' });
      await live.body?.cancel();
      expect((await listener.open('/', { 'sec-purpose': 'prefetch' })).status).toBe(seconds < 55 ? 200 : 302);
      expect((await reader.open('/')).status).toBe(200);
    }
    expect((await listener.open('/')).status).toBe(302);
  });

  test('whose session is damaged sign in again, and it is noted', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'scientistEngland');
    const [session] = await team.people.items.list('sessions');
    if (session) await team.people.items.put({ ...session, value: { person: 'x' } });
    expect((await browser.open('/')).status).toBe(302);
    expect(team.warnings).toStrictEqual(['What is kept of a session is damaged: its person signs in again']);
    expect((await team.signIn(browser, 'scientistEngland')).headers.get('location')).toBe('/');
  });

  test('are not locked out by another client that shares their address', async () => {
    const team = await openTeamPage();
    const from = { from: '10.0.0.4' };
    const headers = { host: new URL(ORIGIN).host, accept: 'text/html' };
    const asked = (address: string) => team.answer(new Request(`${ORIGIN}${address}`, { headers }), from);
    for (let count = 0; count < 400; count++) await asked('/sign-in');
    expect((await asked('/report')).status).toBe(302);
    const other = browserSession((request) => team.answer(request, from), ORIGIN);
    expect((await team.signIn(other, 'scientistEngland', '/report')).headers.get('location')).toBe('/report');
    expect((await other.open('/')).status).toBe(200);
  });

  test('sign out with the form of the page alone', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'scientistEngland');
    const token = tokenIn(await (await browser.open('/')).text());
    expect((await browser.send('/sign-out', { token: `${token}x` })).status).toBe(403);
    expect((await browser.open('/')).status).toBe(200);
    const stolen = new Map(browser.cookies);
    expect((await browser.send('/sign-out', { token })).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    const cookie = [...stolen].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await browser.open('/', { cookie })).status).toBe(302);
    expect(team.audit().at(-1)).toMatchObject({ action: 'signed-out', name: 'Sofia Scientist' });
  });

  test('learn that the provider does not answer, and that they can try again', async () => {
    const team = await openTeamPage();
    await team.identity.close();
    const response = await team.browser().open('/sign-in?to=/report');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('href="/sign-in?to=%2Freport"');
  });
});

test('an address that could be a part of the page shows no catalogue to those who are not signed in, and counts', async () => {
  const team = await openTeamPage();
  const from = { from: '10.0.0.4' };
  const headers = { host: new URL(ORIGIN).host, accept: '*/*' };
  const asked = () => team.answer(new Request(`${ORIGIN}/browser/nothing.js`, { headers }), from);
  const first = await asked();
  expect([first.status, await first.text()]).toStrictEqual([401, expect.not.stringContaining('uk')]);
  let last = first;
  for (let count = 0; count < 300; count++) last = await asked();
  expect(last.status).toBe(429);
});

test('what is not a view says 401 to those who are not signed in, and the style sheet is for everybody', async () => {
  const team = await openTeamPage();
  const browser = team.browser();
  for (const address of ['/events.csv', '/live?after=0', '/event/a1/json', '/names?filter=gene&q=b']) {
    expect((await browser.open(address, { accept: '*/*' })).status).toBe(401);
  }
  expect((await browser.open('/page.css', { accept: '*/*' })).status).toBe(200);
});

describe('people that a proxy signs in', () => {
  const settings = accessSettings({
    address: 'https://panels.example.org',
    provider: undefined,
    proxies: ['10.0.0.4', '::1'],
    proxyHeaders: { person: 'x-forwarded-user', name: 'x-forwarded-name' },
    roles: { claim: 'x-forwarded-groups', reader: ['readers'], decider: ['deciders'] },
  });
  const stated = { 'x-forwarded-user': 'sofia@example.org', 'x-forwarded-groups': 'staff, deciders' };
  const opened = async (from: string, headers: Readonly<Record<string, string>>) => {
    const { answer, close } = await pageOf(proxyAccess(settings), createTestClock());
    const browser = browserSession((request) => answer(request, { from }), 'https://panels.example.org');
    const response = await browser.open('/', headers);
    const text = await response.text();
    close();
    return { status: response.status, text };
  };

  test.each(['10.0.0.4', '::ffff:10.0.0.4', '::1'])('are believed from %s', async (from) => {
    const { status, text } = await opened(from, { ...stated, 'x-forwarded-name': 'Sof\u00c3\u00ada' });
    expect(status).toBe(200);
    expect(text).toContain('Sofía, decider');
    expect(text).not.toContain('Sign out');
  });

  test.each(['10.0.0.40', '127.0.0.1', '', '::ffff:10.0.0.5'])(
    'are not believed from %j, and nothing is shown',
    async (from) => {
      const { status, text } = await opened(from, stated);
      expect([status, text]).toStrictEqual([403, 'This page is reached by its proxy only.\n']);
    },
  );

  test.each([
    ['nobody', {}],
    ['somebody without a role', { 'x-forwarded-user': 'x', 'x-forwarded-groups': 'staff' }],
    ['a role without somebody', { 'x-forwarded-groups': 'deciders' }],
  ])('%s is refused', async (_who, headers) => {
    expect((await opened('10.0.0.4', headers)).status).toBe(403);
  });
});
