import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  decisionSupport,
  familyResource,
  notOnboarded,
  otherResource,
  tenants,
} from '../../../sandbox/identity/accounts.ts';
import { noon } from '../../run/test-clock.ts';
import { type Asked, basic, startHarness } from './provider-harness.ts';

const tenant = tenants['non-production'];
const { clientId, objectId } = decisionSupport;

describe('the token endpoint', () => {
  test('responds as documented, with every number as text', async () => {
    const { ask } = await startHarness();
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

  test('gives a client the documented claims, and no user attribute', async () => {
    const { ask, provider } = await startHarness();
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
    ['resource=https%3A%2F%2Fother.sandbox.example', otherResource],
    ['scope=https%3A%2F%2Fother.sandbox.example%2F.default', otherResource],
    ['scope=openid', familyResource],
  ])('%s requests a token for %s', async (parameter, audience) => {
    const { ask } = await startHarness();
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
      'an unknown resource',
      { body: `${form}&resource=https%3A%2F%2Funknown.example` },
      400,
      'invalid_resource',
    ],
    ['an unknown scope', { body: `${form}&scope=api%3A%2F%2Funknown%2F.default` }, 400, 'invalid_scope'],
    ['a wrong secret', { authorization: basic(clientId, 'wrong') }, 401, 'invalid_client'],
    ['an unknown client', { authorization: basic('nobody', 'x') }, 400, 'unauthorized_client'],
    [
      'a client before the end of its onboarding',
      { authorization: basic(notOnboarded.clientId, String(notOnboarded.secrets[0])) },
      400,
      'unauthorized_client',
    ],
    ['the credential of the other tenant', { tenantId: tenants.production.id }, 400, 'unauthorized_client'],
    ['an unknown tenant', { tenantId: 'elsewhere' }, 400, 'invalid_request'],
    ['no grant', { body: 'grant=x' }, 400, 'invalid_request'],
    ['another grant', { body: 'grant_type=password' }, 400, 'unsupported_grant_type'],
    ['a field twice', { body: `${form}&${form}` }, 400, 'invalid_request'],
    ['JSON', { contentType: 'application/json', body: '{}' }, 400, 'invalid_request'],
    ['an unknown code', { body: 'grant_type=authorization_code&code=x' }, 400, 'invalid_grant'],
    [
      'an assertion of another type',
      { authorization: null, body: `${form}&client_assertion=x` },
      401,
      'invalid_client',
    ],
    ['two credentials', { body: `${form}&client_assertion=x` }, 400, 'invalid_request'],
  ];

  test.each(refusals)('refuses %s', async (_name, asked, status, error) => {
    const { ask } = await startHarness();
    const answer = await ask(asked);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      error,
      error_description: expect.stringMatching(/^AADSTS\d+: /),
    });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="token"' : null);
  });

  test('accepts POST only', async () => {
    const { ask } = await startHarness();
    expect((await ask({ method: 'GET' })).status).toBe(404);
  });

  test('each tenant has its own credentials', async () => {
    const { ask } = await startHarness();
    const [client] = tenants.production.clients;
    const authorization = basic(String(client?.clientId), String(client?.secrets[0]));
    expect((await ask({ tenantId: tenants.production.id, authorization })).status).toBe(200);
    expect((await ask({ authorization })).status).toBe(400);
  });

  test('accepts only the new secret after a rotation', async () => {
    const { ask, provider } = await startHarness();
    provider.directory.rotateSecret(clientId, 'new: secret+');
    expect((await ask()).status).toBe(401);
    expect((await ask({ authorization: basic(clientId, 'new: secret+') })).status).toBe(200);
  });

  test('revokes the tokens issued so far, and no later ones', async () => {
    const { ask, provider } = await startHarness();
    const claims = async () =>
      decodeJwt(((await (await ask()).json()) as { access_token: string }).access_token);
    const early = await claims();
    provider.revokeTokens();
    expect(provider.isRevoked(early)).toBe(true);
    expect(provider.isRevoked(await claims())).toBe(false);
  });
});

describe('discovery', () => {
  test('names all other addresses', async () => {
    const { provider } = await startHarness();
    const answer = await fetch(`${provider.authUrl}/${tenant.id}/.well-known/openid-configuration`);
    const issuer = `${provider.authUrl}/${tenant.id}`;
    expect(await answer.json()).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/oauth2/token`,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      jwks_uri: `${provider.authUrl}/common/discovery/keys`,
    });
  });

  test('fails for an unknown tenant', async () => {
    const { provider } = await startHarness();
    expect((await fetch(`${provider.authUrl}/elsewhere/.well-known/openid-configuration`)).status).toBe(400);
  });

  test('publishes public keys only', async () => {
    const { provider } = await startHarness();
    const { keys } = (await (await fetch(`${provider.authUrl}/common/discovery/keys`)).json()) as {
      keys: object[];
    };
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  });
});
