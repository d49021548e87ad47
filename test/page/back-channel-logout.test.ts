import { expect, test } from 'vitest';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { ORIGIN, openTeamPage } from './team-page.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A page to which one person is signed in, and logout tokens of the provider for that person. */
async function signedIn() {
  const team = await openTeamPage();
  const issuer = team.identity.issuer(tenants['non-production'].id);
  const browser = team.browser();
  await team.signIn(browser, 'scientistEngland');
  const subject = String(team.audit()[0]?.person).split('|').at(-1);
  const now = Math.floor(team.clock.now() / 1000);
  const logoutToken = (change: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    team.identity.keys.sign({
      iss: issuer,
      aud: decisionSupport.clientId,
      sub: subject,
      iat: now,
      exp: now + 120,
      jti: 'logout-1',
      events: { [LOGOUT_EVENT]: {} },
      ...change,
    });
  const send = (token: string): Promise<Response> =>
    team.answer(
      new Request(`${ORIGIN}/back-channel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
        headers: { host: new URL(ORIGIN).host, 'content-length': String(token.length + 13) },
      }),
    );
  return { team, browser, logoutToken, send };
}

test('a logout token of the provider ends the sessions of its person once: a replayed one ends no later session', async () => {
  const { team, browser, logoutToken, send } = await signedIn();
  const token = await logoutToken();
  expect((await send(token)).status).toBe(200);
  expect((await browser.open('/')).status).toBe(302);
  await team.signIn(browser, 'scientistEngland');
  expect((await send(token)).status).toBe(400);
  expect((await browser.open('/')).status).toBe(200);
  expect((await send(await logoutToken({ jti: 'logout-2' }))).status).toBe(200);
  expect((await browser.open('/')).status).toBe(302);
});

test('a logout token with a session that the page does not know ends the sessions of its person that have none', async () => {
  const { browser, logoutToken, send } = await signedIn();
  expect((await send(await logoutToken({ sub: 'another', sid: 's1' }))).status).toBe(200);
  expect((await browser.open('/')).status).toBe(200);
  expect((await send(await logoutToken({ jti: 'logout-2', sid: 's1' }))).status).toBe(200);
  expect((await browser.open('/')).status).toBe(302);
});

test('a logout token whose sessions could not be ended may be sent again', async () => {
  const { team, browser, logoutToken, send } = await signedIn();
  const token = await logoutToken();
  const { endAll } = team.sessions;
  team.sessions.endAll = () => Promise.reject(new Error('the disk is full'));
  expect((await send(token)).status).toBe(400);
  team.sessions.endAll = endAll;
  expect((await send(token)).status).toBe(200);
  expect((await browser.open('/')).status).toBe(302);
});

test.each([
  ['no id', { jti: undefined }],
  ['an empty id', { jti: '' }],
  ['a time long ago', { iat: 1_600_000_000 }],
  ['another audience', { aud: 'x' }],
  ['a nonce, as ID tokens have', { nonce: 'x' }],
])('a logout token with %s ends nothing', async (_name, change) => {
  const { browser, logoutToken, send } = await signedIn();
  expect((await send(await logoutToken(change))).status).toBe(400);
  expect((await browser.open('/')).status).toBe(200);
});
