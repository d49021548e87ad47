import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { decisionSupport, tenants, users } from '../../../sandbox/identity/accounts.ts';
import { startHarness } from './provider-harness.ts';

const tenant = tenants['non-production'];
const { clientId } = decisionSupport;
const redirectUri = String(decisionSupport.redirectUris[0]);

describe('the authorise endpoint', () => {
  const asking = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', state: 'a&b=c"<' };

  async function visit(change: Record<string, string> = {}, user?: string) {
    const harness = await startHarness();
    const url = new URL(`${harness.provider.authUrl}/${tenant.id}/oauth2/authorize`);
    url.search = new URLSearchParams({ ...asking, ...change }).toString();
    const body = user === undefined ? {} : { method: 'POST', body: new URLSearchParams({ user }) };
    const answer = await fetch(url, { redirect: 'manual', ...body });
    const location = answer.headers.get('location');
    return { ...harness, answer, back: location === null ? null : new URL(location).searchParams };
  }

  test('shows the users, and nothing of the query', async () => {
    const { answer } = await visit({ state: '<script>' });
    const page = await answer.text();
    for (const { name } of Object.values(users)) expect(page).toContain(name);
    expect(page).not.toContain('<script>');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }],
    ['an address that starts like a registered one', { redirect_uri: `${redirectUri}.evil.example` }],
  ])('redirects no browser for %s', async (_name, change) => {
    const { answer, back } = await visit(change, users.operator.objectId);
    expect([answer.status, back]).toEqual([400, null]);
  });

  test.each([
    [
      'another response type',
      { response_type: 'token' },
      users.operator.objectId,
      'unsupported_response_type',
    ],
    [
      'a plain challenge',
      { code_challenge: 'x', code_challenge_method: 'plain' },
      users.operator.objectId,
      'invalid_request',
    ],
    ['a user who does not exist', {}, 'nobody', 'access_denied'],
    ['no user', {}, '', 'access_denied'],
  ])('sends back with an error for %s', async (_name, change, user, error) => {
    const { back } = await visit(change, user);
    expect([back?.get('error'), back?.get('state'), back?.has('code')]).toEqual([error, asking.state, false]);
  });

  const redeem = (code: string | null | undefined, more: Record<string, string> = {}) =>
    new URLSearchParams({
      grant_type: 'authorization_code',
      code: String(code),
      redirect_uri: redirectUri,
      ...more,
    }).toString();

  test('gives a code that is valid once', async () => {
    const { ask, back } = await visit({}, users.legacy.objectId);
    const body = redeem(back?.get('code'));
    const reply = (await (await ask({ body })).json()) as { access_token: string };
    expect(decodeJwt(reply.access_token)).toMatchObject({
      roles: ['NNR503'],
      primaryLdpCode100k: 'LDP-C',
      secondaryLdpCodes100k: ['LDP-A'],
      oid: users.legacy.objectId,
      appid: clientId,
    });
    expect((await ask({ body })).status).toBe(400);
  });

  test.each([
    ['another address', { redirect_uri: 'http://localhost/' }],
    ['an unexpected verifier', { code_verifier: 'x' }],
  ])('takes no code with %s', async (_name, more) => {
    const { ask, back } = await visit({}, users.legacy.objectId);
    expect((await ask({ body: redeem(back?.get('code'), more) })).status).toBe(400);
  });

  test('accepts no code after a minute', async () => {
    const { ask, back, clock } = await visit({}, users.legacy.objectId);
    clock.pass(60_001);
    expect((await ask({ body: redeem(back?.get('code')) })).status).toBe(400);
  });
});
