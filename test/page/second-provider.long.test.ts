import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../lambdas/run/clock.ts';
import { openPeopleFile } from '../../page/sign-in/people-file.ts';
import { createProvider } from '../../page/sign-in/provider.ts';
import { createOneTimeUses, createSessions } from '../../page/sign-in/sessions.ts';
import { signInAccess } from '../../page/sign-in/sign-in-access.ts';
import { registeredClient, startIndependentProvider } from '../../scripts/independent-provider.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type BrowserSession, browserSession } from './browser-session.ts';
import { accessSettings, ORIGIN, pageOf } from './team-page.ts';

/** The page against an independent provider, which requires PKCE; both by the machine's own clock. */

beforeEach(() => {
  // It warns that keys and memory are those of a quick start, which is what they are.
  for (const level of ['warn', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

/** Signs in at the provider's own pages, and returns the address to which it sends the browser back. */
async function signInThere(address: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const ask = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  let at = address;
  for (let steps = 0; steps < 12 && !at.startsWith(ORIGIN); steps++) {
    let response = await ask(at);
    if (response.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1] ?? '';
      response = await ask(
        at,
        new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }),
      );
    }
    at = new URL(response.headers.get('location') ?? '', at).href;
  }
  return at;
}

async function opened(authMethod: 'client_secret_basic' | 'client_secret_post') {
  const other = await startIndependentProvider({
    origin: ORIGIN,
    accounts: { sofia: { name: 'Person sofia', roles: ['NCR004'] } },
    authMethod,
    statesSessions: authMethod === 'client_secret_basic',
    fetch: async (url, options) => {
      const body = String(options?.body ?? '');
      const headers = new Headers(options?.headers);
      headers.set('host', new URL(ORIGIN).host);
      headers.set('content-length', String(body.length));
      return answer(new Request(String(url), { method: 'POST', body, headers }));
    },
  });
  const { issuer } = other;
  const settings = accessSettings({ provider: { issuer, clientId: registeredClient.id } });
  if (!settings.provider) throw new Error('no provider');
  const people = openPeopleFile(systemClock.now);
  const sessions = createSessions(people.items, { clock: systemClock, longest: 36_000_000, idle: 7_200_000 });
  const provider = createProvider({
    settings: settings.provider,
    secret: registeredClient.secret,
    redirectUri: `${ORIGIN}/signed-in`,
    clock: systemClock,
  });
  const access = signInAccess({
    settings,
    provider,
    sessions,
    uses: createOneTimeUses(people.items),
    audit: { write: async () => {} },
    clock: systemClock,
  });
  const { answer, close } = await pageOf(access, createTestClock({ wokenByHand: true }));
  onTestFinished(() => {
    close();
    people.close();
    other.close();
  });
  return { other, people, issuer, browser: browserSession(answer, ORIGIN) };
}

const signIn = async (browser: BrowserSession, login: string): Promise<Response> => {
  const begun = await browser.open('/sign-in?to=/report');
  return browser.open(await signInThere(String(begun.headers.get('location')), login));
};

test.each(['client_secret_basic', 'client_secret_post'] as const)(
  'people sign in by oidc-provider with PKCE and %s, and it ends their sessions',
  async (method) => {
    const { other, people, issuer, browser } = await opened(method);
    const back = await signIn(browser, 'sofia');
    expect([back.status, back.headers.get('location')]).toStrictEqual([302, '/report']);
    expect(await (await browser.open('/')).text()).toContain('Person sofia, decider');
    const [session] = await people.items.list('sessions');
    const { providerSession } = Object(session?.value) as { readonly providerSession: string };
    await other.endSession('somebody', 'another session');
    expect((await browser.open('/')).status).toBe(200);
    const forged = await browser.send('/back-channel-logout', { logout_token: 'x.y.z' }, { origin: issuer });
    expect(forged.status).toBe(400);
    await other.endSession('sofia', providerSession);
    expect((await browser.open('/')).status).toBe(302);
  },
);

test('a person without a role is refused', async () => {
  const { browser } = await opened('client_secret_basic');
  expect((await signIn(browser, 'nora')).status).toBe(403);
});
