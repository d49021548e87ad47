import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { decisionSupport, familyResource, reportWriter, users } from '../../../sandbox/identity/accounts.ts';
import { noon } from '../../run/test-clock.ts';
import { credential, eachHarness, reads, tenantId } from './documented-harness.ts';

const harness = eachHarness();

/** The body that the token endpoint answers to the project's own request. */
async function tokenReply(): Promise<Record<string, unknown>> {
  await harness().tokenBy();
  const { provider } = harness();
  const { headers, body } = provider.calls[0] ?? {};
  const [authorization, type] = ['authorization', 'content-type'].map((name) => String(headers?.get(name)));
  const answer = await fetch(`${provider.authUrl}/${tenantId}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: String(authorization), 'content-type': String(type) },
    body: String(body),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

describe('Identity provider', () => {
  test('provider 1: tokens are issued by POST at <tenant_id>/oauth2/token, with HTTP 200', async () => {
    await harness().tokenBy();
    expect(harness().provider.calls).toMatchObject([{ method: 'POST', tenantId, status: 200 }]);
  });

  test('provider 2: the discovery document is at <tenant_id>/.well-known/openid-configuration', async () => {
    const answer = await fetch(`${harness().provider.authUrl}/${tenantId}/.well-known/openid-configuration`);
    expect(await answer.json()).toMatchObject({ issuer: decodeJwt(await harness().tokenBy()).iss });
  });

  test('provider 3: the browser signs in at <tenant_id>/oauth2/authorize', async () => {
    expect(decodeJwt(await harness().userToken(users.operator)).name).toBe('Olu Operator');
  });

  test('provider 4: the public keys for verifying tokens are at common/discovery/keys', async () => {
    const answer = await fetch(`${harness().provider.authUrl}/common/discovery/keys`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    expect(keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(await harness().tokenBy()).kid);
  });

  test('request 1: the Authorization header is Basic with client id and secret', async () => {
    await harness().tokenBy();
    const header = String(harness().provider.calls[0]?.headers.get('authorization'));
    const pair = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
    expect(pair).toBe(`${credential.clientId}:${decisionSupport.secrets[0]}`);
  });

  test('request 2: Accept is application/json, and Cache-Control no-cache', async () => {
    await harness().tokenBy();
    const headers = harness().provider.calls[0]?.headers;
    expect([headers?.get('accept'), headers?.get('cache-control')]).toEqual(['application/json', 'no-cache']);
  });

  test('request 3: the body is one form field, grant_type with the value client_credentials', async () => {
    await harness().tokenBy();
    expect(harness().provider.calls[0]?.body).toBe('grant_type=client_credentials');
  });

  test('request 4: client_id and client_secret are never in the form; the Basic header is the required method', async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: decisionSupport.clientId,
      client_secret: String(decisionSupport.secrets[0]),
    });
    const url = `${harness().provider.authUrl}/${tenantId}/oauth2/token`;
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
    await harness().tokenBy();
    const form = new URLSearchParams(harness().provider.calls.at(-1)?.body);
    expect([form.has('client_id'), form.has('client_secret')]).toEqual([false, false]);
  });
});

describe('Authentication token response', () => {
  test('response 1: token_type is Bearer', async () => {
    expect((await tokenReply()).token_type).toBe('Bearer');
  });

  test('response 2: expires_in and ext_expires_in are text, the lifetime in seconds, 3600', async () => {
    expect(await tokenReply()).toMatchObject({ expires_in: '3600', ext_expires_in: '3600' });
  });

  test('response 3: expires_on and not_before are text, epoch seconds of expiry and start', async () => {
    const [start, end] = [noon / 1000, noon / 1000 + 3600];
    expect(await tokenReply()).toMatchObject({ expires_on: String(end), not_before: String(start) });
  });

  test('response 4: resource is the resource of the token', async () => {
    expect((await tokenReply()).resource).toBe(familyResource);
  });

  test('response 5: access_token is a signed JWT', async () => {
    const { access_token: token } = await tokenReply();
    expect(decodeProtectedHeader(String(token))).toMatchObject({ alg: 'RS256', typ: 'JWT' });
  });
});

describe('Token claims', () => {
  const claims = async () => decodeJwt(await harness().tokenBy());

  test('claims 1: aud is the resource, iss the issuer of the tenant, idp the identity provider', async () => {
    const issuer = harness().provider.issuer(tenantId);
    expect(await claims()).toMatchObject({ aud: familyResource, iss: issuer, idp: issuer });
  });

  test('claims 2: iat, nbf and exp are epoch seconds', async () => {
    const now = noon / 1000;
    expect(await claims()).toMatchObject({ iat: now, nbf: now, exp: now + 3600 });
  });

  test('claims 3: appid identifies the calling application and is used for authorisation', async () => {
    expect((await claims()).appid).toBe(decisionSupport.clientId);
    const token = await harness().forge({ appid: 'another' });
    expect((await harness().ask('sample-matching', reads['sample-matching'], { token })).status).toBe(403);
  });

  test('claims 4: appidacr states the client authentication; 1 is the shared secret', async () => {
    expect((await claims()).appidacr).toBe('1');
  });

  test('claims 5: oid and sub are the application principal; oid is usable for authorisation too', async () => {
    expect(await claims()).toMatchObject({ oid: decisionSupport.objectId, sub: decisionSupport.objectId });
    const token = await harness().forge({ appid: 'another', oid: reportWriter.objectId });
    expect((await harness().ask('variant-store', reads['variant-store'], { token })).status).toBe(200);
  });

  test('claims 6: tenant_region_scope, tid and ver 1.0 are those of the tenant', async () => {
    expect(await claims()).toMatchObject({ tenant_region_scope: 'EU', tid: tenantId, ver: '1.0' });
  });

  test('claims 7: aio and uti are opaque, uti another one for each token', async () => {
    const [one, other] = [await claims(), await claims()];
    expect([one.aio, one.uti]).toEqual([expect.any(String), expect.any(String)]);
    expect(one.uti).not.toBe(other.uti);
  });

  test('claims 8: the token states little else about the application', async () => {
    const names = 'aio appid appidacr aud exp iat idp iss nbf oid sub tenant_region_scope tid uti ver';
    expect(
      Object.keys(await claims())
        .sort()
        .join(' '),
    ).toBe(names);
  });
});
