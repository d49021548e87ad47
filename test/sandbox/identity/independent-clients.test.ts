import { createPrivateKey } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../lambdas/run/clock.ts';
import {
  decisionSupport,
  familyResource,
  otherResource,
  tenants,
  users,
} from '../../../sandbox/identity/accounts.ts';
import {
  type StartedIdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity/identity-provider.ts';
import { type SelfSigned, selfSigned } from './self-signed.ts';

/** What others have written against the standards gets on with the sandbox; all by the machine's own clock. */

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const tenant = tenants['non-production'];
const { clientId } = decisionSupport;
const clientSecret = String(decisionSupport.secrets[0]);
const redirectUri = String(decisionSupport.redirectUris[0]);
const insecure = { [oauth.allowInsecureRequests]: true };

async function start(): Promise<StartedIdentityProvider & { readonly issuer: (tenantId: string) => string }> {
  const provider = await startIdentityProvider({ clock: systemClock });
  closing.push(provider.close);
  return provider;
}

function registered(provider: StartedIdentityProvider, id = clientId): SelfSigned {
  const now = systemClock.now();
  const own = selfSigned({ name: 'Decision support', from: now - 60_000, until: now + 3_600_000 });
  provider.directory.register(id, own.certificate);
  return own;
}

async function signingKey({ privateKey }: SelfSigned, name: 'RSA-PSS' | 'RSASSA-PKCS1-v1_5') {
  const pkcs8 = createPrivateKey(privateKey).export({ format: 'der', type: 'pkcs8' });
  return crypto.subtle.importKey('pkcs8', pkcs8, { name, hash: 'SHA-256' }, false, ['sign']);
}

const thumbprintOf = async ({ certificate }: SelfSigned): Promise<string> => {
  const der = Buffer.from(certificate.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return Buffer.from(await crypto.subtle.digest('SHA-256', der)).toString('base64url');
};

describe('oauth4webapi', () => {
  async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
    const url = new URL(issuer);
    return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure));
  }

  async function tokenFor(as: oauth.AuthorizationServer, auth: oauth.ClientAuth, id = clientId) {
    const client = { client_id: id };
    const answer = await oauth.clientCredentialsGrantRequest(as, client, auth, {}, insecure);
    return oauth.processClientCredentialsResponse(as, client, answer);
  }

  /** Verifies as a resource server would: by the published keys, issuer and audience. */
  async function verify(as: oauth.AuthorizationServer, token: string) {
    const keys = createRemoteJWKSet(new URL(String(as.jwks_uri)));
    return jwtVerify(token, keys, { issuer: as.issuer, audience: familyResource });
  }

  test('gets a token by Basic and verifies it by discovery and keys', async () => {
    const provider = await start();
    const as = await discover(provider.issuer(tenant.id));
    const reply = await tokenFor(as, oauth.ClientSecretBasic(clientSecret));
    expect(reply.token_type).toBe('bearer');
    expect(reply.expires_in).toBe(3600);
    const { payload, protectedHeader } = await verify(as, reply.access_token);
    expect(payload.appid).toBe(clientId);
    expect(protectedHeader.alg).toBe('RS256');
  });

  test.each([
    ['PS256', 'RSA-PSS', 'non-production'],
    ['RS256', 'RSASSA-PKCS1-v1_5', 'non-production'],
    ['RS256', 'RSASSA-PKCS1-v1_5', 'production'],
  ] as const)('gets a token by certificate, %s (%s), in %s', async (algorithm, name, tenantName) => {
    const provider = await start();
    const chosen = tenants[tenantName];
    const id = String(chosen.clients[0]?.clientId);
    const own = registered(provider, id);
    const as = await discover(provider.issuer(chosen.id));
    const key = await signingKey(own, name);
    const reply = await tokenFor(as, oauth.PrivateKeyJwt({ key, kid: await thumbprintOf(own) }), id);
    const { payload } = await verify(as, reply.access_token);
    expect(payload).toMatchObject({ appid: id, appidacr: '2', tid: chosen.id });
    const assertion = new URLSearchParams(provider.calls[0]?.body).get('client_assertion');
    expect(decodeProtectedHeader(String(assertion)).alg).toBe(algorithm);
  });

  test('is refused with PS256 by the older tenant', async () => {
    const provider = await start();
    const id = String(tenants.production.clients[0]?.clientId);
    const own = registered(provider, id);
    const as = await discover(provider.issuer(tenants.production.id));
    const key = await signingKey(own, 'RSA-PSS');
    const asking = tokenFor(as, oauth.PrivateKeyJwt({ key, kid: await thumbprintOf(own) }), id);
    await expect(asking).rejects.toMatchObject({ status: 401 });
  });

  test('finds the keys before and after a change of keys', async () => {
    const provider = await start();
    const as = await discover(provider.issuer(tenant.id));
    const before = await tokenFor(as, oauth.ClientSecretBasic(clientSecret));
    provider.keys.rotate();
    const after = await tokenFor(as, oauth.ClientSecretBasic(clientSecret));
    const [old, young] = [before, after].map(({ access_token: token }) => decodeProtectedHeader(token).kid);
    expect(old).not.toBe(young);
    await verify(as, before.access_token);
    await verify(as, after.access_token);
  });

  test('is refused with id and secret as form fields', async () => {
    const provider = await start();
    const as = await discover(provider.issuer(tenant.id));
    const asking = tokenFor(as, oauth.ClientSecretPost(clientSecret));
    await expect(asking).rejects.toMatchObject({ error: 'invalid_request' });
  });

  test('gets a token with id and secret as form fields where the provider is set so', async () => {
    const provider = await startIdentityProvider({ clock: systemClock, secretInBody: 'accepted' });
    closing.push(provider.close);
    const as = await discover(provider.issuer(tenant.id));
    expect(as.token_endpoint_auth_methods_supported).toContain('client_secret_post');
    const reply = await tokenFor(as, oauth.ClientSecretPost(clientSecret));
    expect(reply.token_type).toBe('bearer');
    const wrong = tokenFor(as, oauth.ClientSecretPost('wrong'));
    await expect(wrong).rejects.toMatchObject({ status: 401 });
  });
});

describe('openid-client', () => {
  const insecureToo = { execute: [oidc.allowInsecureRequests] };

  test('gets a token by Basic', async () => {
    const provider = await start();
    const config = await oidc.discovery(
      new URL(provider.issuer(tenant.id)),
      clientId,
      undefined,
      oidc.ClientSecretBasic(clientSecret),
      insecureToo,
    );
    const reply = await oidc.clientCredentialsGrant(config, { resource: otherResource });
    expect(reply.expiresIn()).toBeGreaterThan(3590);
    const { payload } = await jwtVerify(
      reply.access_token,
      createRemoteJWKSet(new URL(String(config.serverMetadata().jwks_uri))),
    );
    expect(payload).toMatchObject({
      aud: otherResource,
      appidacr: '1',
      iss: provider.issuer(tenant.id),
    });
  });

  test('gets a token by certificate', async () => {
    const provider = await start();
    const own = registered(provider);
    const key = { key: await signingKey(own, 'RSA-PSS'), kid: await thumbprintOf(own) };
    const auth = oidc.PrivateKeyJwt(key);
    const issuer = new URL(provider.issuer(tenant.id));
    const config = await oidc.discovery(issuer, clientId, undefined, auth, insecureToo);
    expect((await oidc.clientCredentialsGrant(config)).token_type).toBe('bearer');
  });

  test('signs a user in through the browser', async () => {
    const provider = await start();
    const config = await oidc.discovery(
      new URL(provider.issuer(tenant.id)),
      clientId,
      undefined,
      oidc.ClientSecretBasic(clientSecret),
      insecureToo,
    );
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const page = await (await fetch(address)).text();
    expect(page).toContain(users.scientistEngland.name);

    const user = users.scientistEngland.objectId;
    const chosen = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ user }),
      redirect: 'manual',
    });
    const back = new URL(String(chosen.headers.get('location')));
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const reply = await oidc.authorizationCodeGrant(config, back, checks);
    expect(reply.claims()).toMatchObject({ name: 'Sofia Scientist', oid: user, aud: clientId });
    const keys = createRemoteJWKSet(new URL(String(config.serverMetadata().jwks_uri)));
    const { payload } = await jwtVerify(reply.access_token, keys, { audience: familyResource });
    expect(payload).toMatchObject({ roles: ['NCR003'], country: 'England', scp: 'user_impersonation' });

    await expect(oidc.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});
