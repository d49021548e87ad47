import { decodeJwt } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock, noon } from '../../identity/manual-clock.ts';
import { decisionSupport, newcomer, residents, tenants } from './residents.ts';
import { makeKey } from './signing-keys.ts';
import { type StartedIdentityProvider, type StartOptions, startIdentityProvider } from './start.ts';
import { familyResource } from './tenants.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const tenant = tenants['non-production'];
const { clientId, objectId, secrets } = decisionSupport;
const redirectUri = String(decisionSupport.redirectUris[0]);

const key = makeKey('sandbox-1');

interface Stage {
  readonly provider: StartedIdentityProvider;
  readonly clock: ManualClock;
  readonly ask: (change?: Asked) => Promise<Response>;
}

interface Asked {
  readonly tenantId?: string;
  readonly authorization?: string | null;
  readonly contentType?: string;
  readonly body?: string;
  readonly method?: string;
}

const encode = (text: string) => encodeURIComponent(text);
const basic = (id: string, secret: string) => `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}`;
const ownBasic = basic(clientId, String(secrets[0]));

async function start(options: Partial<StartOptions> = {}): Promise<Stage> {
  const clock = manualClock();
  const provider = await startIdentityProvider({ clock, key, ...options });
  closing.push(provider.close);
  const ask = ({
    tenantId = tenant.id,
    authorization = ownBasic,
    contentType,
    body,
    method = 'POST',
  }: Asked = {}) =>
    fetch(`${provider.authUrl}/${tenantId}/oauth2/token`, {
      method,
      headers: {
        'content-type': contentType ?? 'application/x-www-form-urlencoded',
        ...(authorization !== null && { authorization }),
      },
      ...(method === 'POST' && { body: body ?? 'grant_type=client_credentials' }),
    });
  return { provider, clock, ask };
}

describe('the token endpoint', () => {
  test('answers as the specification shows, every number as text', async () => {
    const { ask } = await start();
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const reply = (await answer.json()) as Record<string, string>;
    expect(reply).toEqual({
      token_type: 'Bearer',
      expires_in: '3600',
      ext_expires_in: '3600',
      expires_on: String(noon / 1000 + 3600),
      not_before: String(noon / 1000),
      resource: familyResource,
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  });

  test('gives a client the claims that the specification lists, and no user attribute', async () => {
    const { ask, provider } = await start();
    const { access_token } = (await (await ask()).json()) as { access_token: string };
    const issuer = provider.issuer(tenant.id);
    expect(decodeJwt(access_token)).toEqual({
      aud: familyResource,
      iss: issuer,
      iat: noon / 1000,
      nbf: noon / 1000,
      exp: noon / 1000 + 3600,
      aio: expect.any(String),
      appid: clientId,
      appidacr: '1',
      idp: issuer,
      oid: objectId,
      sub: objectId,
      tenant_region_scope: 'EU',
      tid: tenant.id,
      uti: expect.any(String),
      ver: '1.0',
    });
  });

  test.each([
    ['resource=https%3A%2F%2Fother.example', 'https://other.example'],
    ['scope=api%3A%2F%2Fother%2F.default', 'api://other'],
    ['scope=openid', familyResource],
  ])('%s makes the token one for %s', async (parameter, audience) => {
    const { ask } = await start();
    const reply = await (await ask({ body: `grant_type=client_credentials&${parameter}` })).json();
    const { access_token } = reply as { access_token: string };
    expect(decodeJwt(access_token).aud).toBe(audience);
  });

  const form = 'grant_type=client_credentials';
  const refusals: [string, Asked, number, string][] = [
    [
      'form fields in place of the Basic header',
      { authorization: null, body: `${form}&client_id=${clientId}&client_secret=x` },
      400,
      'invalid_request',
    ],
    ['form fields beside the Basic header', { body: `${form}&client_secret=x` }, 400, 'invalid_request'],
    ['no credential', { authorization: null }, 401, 'invalid_client'],
    ['another scheme', { authorization: 'Bearer abc' }, 401, 'invalid_client'],
    ['a Basic header without colon', { authorization: `Basic ${btoa('abc')}` }, 401, 'invalid_client'],
    [
      'a Basic header that is not encoded',
      { authorization: `Basic ${btoa('a%:b%')}` },
      401,
      'invalid_client',
    ],
    ['a wrong secret', { authorization: basic(clientId, 'wrong') }, 401, 'invalid_client'],
    ['an unknown client', { authorization: basic('nobody', 'x') }, 400, 'unauthorized_client'],
    [
      'a client before the end of its onboarding',
      { authorization: basic(newcomer.clientId, String(newcomer.secrets[0])) },
      400,
      'unauthorized_client',
    ],
    ['the credential of the other tenant', { tenantId: tenants.production.id }, 400, 'unauthorized_client'],
    ['an unknown tenant', { tenantId: 'elsewhere' }, 400, 'invalid_request'],
    ['no grant', { body: 'grant=x' }, 400, 'invalid_request'],
    ['another grant', { body: 'grant_type=password' }, 400, 'unsupported_grant_type'],
    ['a field twice', { body: `${form}&${form}` }, 400, 'invalid_request'],
    ['JSON', { contentType: 'application/json', body: '{}' }, 400, 'invalid_request'],
    ['a code that nobody gave', { body: 'grant_type=authorization_code&code=x' }, 400, 'invalid_grant'],
    [
      'an assertion of another type',
      { authorization: null, body: `${form}&client_assertion=x` },
      401,
      'invalid_client',
    ],
    ['two credentials', { body: `${form}&client_assertion=x` }, 400, 'invalid_request'],
  ];

  test.each(refusals)('refuses %s', async (_name, asked, status, error) => {
    const { ask } = await start();
    const answer = await ask(asked);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      error,
      error_description: expect.stringMatching(/^AADSTS\d+: /),
    });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="token"' : null);
  });

  test('is there for POST only', async () => {
    const { ask } = await start();
    expect((await ask({ method: 'GET' })).status).toBe(404);
  });

  test('each tenant has its own credentials', async () => {
    const { ask } = await start();
    const [client] = tenants.production.clients;
    const authorization = basic(String(client?.clientId), String(client?.secrets[0]));
    expect((await ask({ tenantId: tenants.production.id, authorization })).status).toBe(200);
    expect((await ask({ authorization })).status).toBe(400);
  });

  test('takes the new secret alone once it was rotated', async () => {
    const { ask, provider } = await start();
    provider.directory.rotateSecret(clientId, 'new: secret+');
    expect((await ask()).status).toBe(401);
    expect((await ask({ authorization: basic(clientId, 'new: secret+') })).status).toBe(200);
  });

  test('withdraws the tokens issued so far, and no later ones', async () => {
    const { ask, provider } = await start();
    const claims = async () =>
      decodeJwt(((await (await ask()).json()) as { access_token: string }).access_token);
    const early = await claims();
    provider.revokeTokens();
    expect(provider.isRevoked(early)).toBe(true);
    expect(provider.isRevoked(await claims())).toBe(false);
  });
});

describe('discovery', () => {
  test('leads to every other address', async () => {
    const { provider } = await start();
    const answer = await fetch(`${provider.authUrl}/${tenant.id}/.well-known/openid-configuration`);
    const issuer = `${provider.authUrl}/${tenant.id}`;
    expect(await answer.json()).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/oauth2/token`,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      jwks_uri: `${provider.authUrl}/common/discovery/keys`,
    });
  });

  test('knows no other tenant', async () => {
    const { provider } = await start();
    expect((await fetch(`${provider.authUrl}/elsewhere/.well-known/openid-configuration`)).status).toBe(400);
  });

  test('publishes public keys only', async () => {
    const { provider } = await start();
    const { keys } = (await (await fetch(`${provider.authUrl}/common/discovery/keys`)).json()) as {
      keys: object[];
    };
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  });
});

describe('the authorise endpoint', () => {
  const asking = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', state: 'a&b=c"<' };

  async function visit(change: Record<string, string> = {}, user?: string) {
    const stage = await start();
    const url = new URL(`${stage.provider.authUrl}/${tenant.id}/oauth2/authorize`);
    url.search = new URLSearchParams({ ...asking, ...change }).toString();
    const body = user === undefined ? {} : { method: 'POST', body: new URLSearchParams({ user }) };
    const answer = await fetch(url, { redirect: 'manual', ...body });
    const location = answer.headers.get('location');
    return { ...stage, answer, back: location === null ? null : new URL(location).searchParams };
  }

  test('shows whom one can be, and nothing that the address says', async () => {
    const { answer } = await visit({ state: '<script>' });
    const page = await answer.text();
    for (const { name } of Object.values(residents)) expect(page).toContain(name);
    expect(page).not.toContain('<script>');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }],
    ['an address that begins like a registered one', { redirect_uri: `${redirectUri}.evil.example` }],
  ])('sends nobody back for %s', async (_name, change) => {
    const { answer, back } = await visit(change, residents.operator.objectId);
    expect([answer.status, back]).toEqual([400, null]);
  });

  test.each([
    [
      'another response type',
      { response_type: 'token' },
      residents.operator.objectId,
      'unsupported_response_type',
    ],
    [
      'a plain challenge',
      { code_challenge: 'x', code_challenge_method: 'plain' },
      residents.operator.objectId,
      'invalid_request',
    ],
    ['a user who does not exist', {}, 'nobody', 'access_denied'],
    ['nobody', {}, '', 'access_denied'],
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

  test('gives a code that is good once', async () => {
    const { ask, back } = await visit({}, residents.legacy.objectId);
    const body = redeem(back?.get('code'));
    const reply = (await (await ask({ body })).json()) as { access_token: string };
    expect(decodeJwt(reply.access_token)).toMatchObject({
      roles: ['NNR503'],
      primaryLdpCode100k: 'LDP-C',
      secondaryLdpCodes100k: ['LDP-A'],
      oid: residents.legacy.objectId,
      appid: clientId,
    });
    expect((await ask({ body })).status).toBe(400);
  });

  test.each([
    ['another address', { redirect_uri: 'http://localhost/' }],
    ['a verifier that nobody asked for', { code_verifier: 'x' }],
  ])('takes no code with %s', async (_name, more) => {
    const { ask, back } = await visit({}, residents.legacy.objectId);
    expect((await ask({ body: redeem(back?.get('code'), more) })).status).toBe(400);
  });

  test('takes no code after a minute', async () => {
    const { ask, back, clock } = await visit({}, residents.legacy.objectId);
    clock.advance(60_001);
    expect((await ask({ body: redeem(back?.get('code')) })).status).toBe(400);
  });
});
