import { createHash } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { decisionSupport, tenants, users } from '../../sandbox/identity/accounts.ts';
import { tokenIn } from './browser-session.ts';
import { chosenUser, openTeamPage } from './team-page.ts';

const tenant = tenants['non-production'];

describe('a session that is no session', () => {
  test('forged, tampered, doubled and read from the file of people: none is one', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'managerScotland');
    const real = browser.cookies.get('session') ?? '';
    expect((await browser.open('/', { cookie: `session=${real}` })).status).toBe(200);
    const hash = createHash('sha256').update(real).digest('base64url');
    const forged = [
      '',
      'x',
      'undefined',
      hash,
      real.slice(1),
      `${real}=`,
      real.toLowerCase(),
      real.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      "' OR '1'='1",
      'a'.repeat(8_000),
    ];
    for (const value of forged) {
      const response = await browser.open('/', { cookie: `session=${value}` });
      expect([value, response.status]).toStrictEqual([value, 302]);
    }
    const doubled = await browser.open('/', { cookie: `session=${real}; session=x` });
    expect(doubled.status).toBe(302);
  });

  test('a stolen one ends with the session: at the sign-out, by the operator, and in a stream', async () => {
    const team = await openTeamPage();
    const [owner, thief] = [team.browser(), team.browser()];
    await team.signIn(owner, 'scientistEngland');
    const cookie = `session=${owner.cookies.get('session')}`;
    const stream = await thief.open('/live?after=1', { cookie, accept: 'text/event-stream' });
    expect(stream.status).toBe(200);
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    expect((await reader?.read())?.done).toBe(false);
    const ended = reader?.read();
    const sleep = await team.clock.nextSleep();
    expect(await team.sessions.endAll({ person: `${team.identity.issuer(tenant.id)}|unknown` })).toBe(0);
    expect(await team.sessions.endAll()).toBe(1);
    sleep.wake();
    expect((await ended)?.done).toBe(true);
    expect((await thief.open('/', { cookie })).status).toBe(302);
  });
});

describe('an ID token that is not for this page', () => {
  const other = generateKeyPair('RS256');
  const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'another audience': { aud: '11111111-1111-4111-8111-111111111111' },
    'no audience': { aud: undefined },
    'another issuer': { iss: 'https://evil.example' },
    'another nonce': { nonce: 'x' },
    'no nonce': { nonce: undefined },
    'a time that is over': { exp: 1_600_000_000 },
    'no subject': { sub: undefined },
  };
  test.each([...Object.entries(cases), ['another key', {}] as const])(
    '%s is refused',
    async (name, change) => {
      const team = await openTeamPage({
        fault: async (request, identity) => {
          const form = new URLSearchParams(await request.text());
          if (form.get('grant_type') !== 'authorization_code') return undefined;
          const now = Math.floor(team.clock.now() / 1000);
          const claims = {
            iss: identity.issuer(tenant.id),
            aud: decisionSupport.clientId,
            sub: 'x',
            iat: now,
            exp: now + 600,
            nonce: nonce,
            roles: ['NCR004'],
            ...change,
          };
          const token =
            name === 'another key'
              ? await new SignJWT(claims)
                  .setProtectedHeader({ alg: 'RS256', kid: 'sandbox-1' })
                  .sign((await other).privateKey)
              : await identity.keys.sign(claims);
          return Response.json({ access_token: 'x', token_type: 'Bearer', id_token: token });
        },
      });
      const browser = team.browser();
      const begun = new URL(String((await browser.open('/sign-in')).headers.get('location')));
      const nonce = begun.searchParams.get('nonce') ?? '';
      const back = await browser.open(await chosenUser(begun.href, 'managerScotland'));
      expect(back.status).toBe(403);
      expect(browser.cookies.has('session')).toBe(false);
      expect(team.audit()).toMatchObject([{ action: 'sign-in-refused' }]);
    },
  );
});

describe('a code', () => {
  test('signs in once, in the browser that began, and with its own state', async () => {
    const team = await openTeamPage();
    const [victim, attacker] = [team.browser(), team.browser()];
    const begun = String((await victim.open('/sign-in')).headers.get('location'));
    const sealed = victim.cookies.get('sign-in') ?? '';
    const callback = await chosenUser(begun, 'managerScotland');
    expect((await attacker.open(callback)).status).toBe(403);
    expect((await victim.open(callback)).status).toBe(302);
    const replayed = await attacker.open(callback, { cookie: `sign-in=${sealed}` });
    expect([replayed.status, attacker.cookies.size]).toStrictEqual([403, 0]);
    const own = new URL(String((await attacker.open('/sign-in')).headers.get('location')));
    const mixed = new URL(callback);
    mixed.searchParams.set('state', own.searchParams.get('state') ?? '');
    expect((await attacker.open(mixed.href)).status).toBe(403);
    expect(attacker.cookies.has('session')).toBe(false);
  });

  test('that is redeemed too late is refused', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    const callback = await chosenUser(
      String((await browser.open('/sign-in')).headers.get('location')),
      'managerScotland',
    );
    team.clock.pass(601_000);
    expect((await browser.open(callback)).status).toBe(403);
  });
});

describe('decisions', () => {
  const opened = async () => {
    const team = await openTeamPage();
    const [decider, reader, other] = [team.browser(), team.browser(), team.browser()];
    await team.signIn(decider, 'managerScotland');
    await team.signIn(reader, 'scientistEngland');
    await team.signIn(other, 'operator');
    const list = await (await decider.open('/worklist')).text();
    const [, entry = ''] = /name="entry" id="c-[^"]+" value="([^"]+):0"/.exec(list) ?? [];
    expect(entry).toMatch(/^[0-9a-f]{32}:0$/);
    return { team, decider, reader, other, id: entry.slice(0, 32), entry, token: tokenIn(list) };
  };
  const fields = (entry: string, token: string, state = 'done', why = 'looked at') => ({
    entry,
    token,
    state,
    why,
  });
  const decisions = async (team: Awaited<ReturnType<typeof openTeamPage>>) =>
    (await team.worklist.record()).decisions;

  test('are not made by a reader, with a token of somebody else, or without one', async () => {
    const { team, decider, reader, entry, token } = await opened();
    const own = tokenIn(await (await reader.open('/')).text());
    expect((await reader.send('/worklist/decide', fields(entry, own))).status).toBe(403);
    for (const stolen of [token, '', `${own}x`]) {
      expect((await reader.send('/worklist/decide', fields(entry, stolen))).status).toBe(403);
    }
    expect((await decider.send('/worklist/decide', fields(entry, own))).status).toBe(403);
    expect(await decisions(team)).toStrictEqual([]);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port', { origin: 'http://127.0.0.1:7209', 'sec-fetch-site': 'same-site' }],
    ['the origin of a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['no origin', { origin: '' }],
    ['another site in an old browser', { origin: 'https://evil.example' }],
    ['another host', { host: 'evil.example' }],
  ])('are not made by a form of %s, even with the token', async (_name, headers) => {
    const { team, decider, entry, token } = await opened();
    const response = await decider.send('/worklist/decide', fields(entry, token), headers);
    expect([403, 421]).toContain(response.status);
    expect(await decisions(team)).toStrictEqual([]);
  });

  test('that two people race for 100 times: one is kept each time, and the other person sees it', async () => {
    const { team, decider, other, id, token } = await opened();
    const second = tokenIn(await (await other.open('/worklist')).text());
    for (let round = 0; round < 100; round++) {
      const state = round % 2 === 0 ? 're-analyse' : 'done';
      team.clock.pass(60_000);
      const both = await Promise.all([
        decider.send('/worklist/decide', fields(`${id}:${round}`, token, state, `first ${round}`)),
        other.send('/worklist/decide', fields(`${id}:${round}`, second, state, `second ${round}`)),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toStrictEqual([200, 409]);
      const kept = await decisions(team);
      expect(kept.length).toBe(round + 1);
      const lost = both.find(({ status }) => status === 409);
      expect(await lost?.text()).toContain(kept.at(-1)?.why);
    }
    const noted = team.audit().filter(({ action, outcome }) => action === 'decided' && outcome === 'decided');
    expect(noted.length).toBe(100);
    const page = await (await decider.open(`/worklist/${id}`)).text();
    expect(page).toContain(`Morag Manager (${users.managerScotland.objectId}`);
  });
});

describe('many requests', () => {
  test('2,000 streams of one person take twelve places, and others still read', async () => {
    const team = await openTeamPage();
    const [greedy, other] = [team.browser(), team.browser()];
    await team.signIn(greedy, 'scientistEngland');
    await team.signIn(other, 'scientistWales');
    const counts = new Map<number, number>();
    const streams: Response[] = [];
    for (let opened = 0; opened < 2_000; opened++) {
      const response = await greedy.open('/live?after=0');
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      if (response.status === 200) streams.push(response);
      // As slowly as a person is allowed to ask.
      if (opened >= 100) team.clock.pass(100);
    }
    expect(counts.get(200)).toBe(12);
    expect((counts.get(503) ?? 0) + (counts.get(429) ?? 0)).toBe(1_988);
    expect((await other.open('/')).status).toBe(200);
    expect((await other.open('/live?after=0')).status).toBe(200);
    for (const stream of streams) await stream.body?.cancel();
    expect((await greedy.open('/live?after=0')).status).toBe(200);
  });

  test('a person who asks too often is answered 429 until the time that it states, and others are not', async () => {
    const team = await openTeamPage();
    const [quick, other] = [team.browser(), team.browser()];
    await team.signIn(quick, 'scientistEngland');
    await team.signIn(other, 'scientistWales');
    let last = await quick.open('/names?filter=gene&q=b');
    for (let asked = 0; asked < 300 && last.status !== 429; asked++) last = await quick.open('/');
    expect(last.status).toBe(429);
    expect((await other.open('/')).status).toBe(200);
    team.clock.pass(Number(last.headers.get('retry-after')) * 1000);
    expect((await quick.open('/')).status).toBe(200);
  });
});
