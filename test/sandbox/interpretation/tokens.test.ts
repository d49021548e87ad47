import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  decisionSupport,
  otherResource,
  reportWriter,
  tenants,
  unregistered,
} from '../../../sandbox/identity/accounts.ts';
import { applicationNames } from '../../../sandbox/interpretation/application.ts';
import { type FamilyHarness, signedByAnother, startHarness } from './family-harness.ts';

/** Tokens at the door of each application. */

type Make = (harness: FamilyHarness) => string | undefined | Promise<string | undefined>;

const own = ({ systemToken }: FamilyHarness) => systemToken(decisionSupport);
const partsOf = (token: string) => token.split('.') as [string, string, string];
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each(applicationNames)('%s', (application) => {
  const path = application === 'interpretation-api' ? 'interpretation-request' : 'nothing-here';
  const admitted = application === 'interpretation-api' ? 200 : 404;

  test('accepts the token that all applications accept', async () => {
    const harness = await startHarness();
    const token = await own(harness);
    expect((await harness.ask(application, path, { token })).status).toBe(admitted);
  });

  const refused: [string, Make, string | null][] = [
    ['no token', () => undefined, null],
    ['an empty token', () => '', 'The Authorization header has no bearer token'],
    ['a text that is not a JWT', () => 'abc', 'The token is not signed by a published key'],
    [
      'an expired token',
      async (harness) => {
        const token = await own(harness);
        harness.clock.pass(3600 * 1000);
        return token;
      },
      'The token has expired',
    ],
    [
      'a token from the future',
      async (harness) => {
        harness.clock.pass(60_000);
        const token = await own(harness);
        harness.clock.pass(-60_000);
        return token;
      },
      'The token is not valid yet',
    ],
    [
      'a token for another audience',
      ({ systemToken }) =>
        systemToken(decisionSupport, { form: `&resource=${encodeURIComponent(otherResource)}` }),
      'The token is for another audience',
    ],
    [
      'a token of the other tenant',
      ({ systemToken }) => {
        const [client = decisionSupport] = tenants.production.clients;
        return systemToken(client, { tenant: 'production' });
      },
      'The token is from another issuer',
    ],
    [
      'an unsigned token',
      async (harness) => new UnsecuredJWT(decodeJwt(await own(harness))).encode(),
      'The token is not signed by a published key',
    ],
    [
      'a token without its signature',
      async (harness) => (await own(harness)).replace(/[^.]*$/, ''),
      'The token is not signed by a published key',
    ],
    [
      'a token with a changed claim',
      async (harness) => {
        const [header, , signature] = partsOf(await own(harness));
        const claims = { ...decodeJwt(await own(harness)), appid: 'somebody-else' };
        return `${header}.${encode(claims)}.${signature}`;
      },
      'The token is not signed by a published key',
    ],
    [
      'a token that claims to be signed with a shared secret',
      async (harness) => {
        const { keys } = await harness.provider.keys.published();
        const secret = new TextEncoder().encode(JSON.stringify(keys[0]));
        return new SignJWT(decodeJwt(await own(harness))).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      },
      'The token is not signed by a published key',
    ],
    [
      'a token signed by another key under a known name',
      async (harness) => {
        const token = await own(harness);
        return signedByAnother(decodeJwt(token), String(decodeProtectedHeader(token).kid));
      },
      'The token is not signed by a published key',
    ],
    [
      'a token signed by an unknown key',
      async (harness) => signedByAnother(decodeJwt(await own(harness)), 'unknown'),
      'The token is not signed by a published key',
    ],
    [
      'a token whose tid is another tenant',
      ({ forge }) => forge({ tid: tenants.production.id }),
      'The token is from another tenant',
    ],
    ['a token without end', ({ forge }) => forge({ exp: undefined }), 'The token lacks a claim'],
    ['a token of no application', ({ forge }) => forge({ appid: undefined }), 'The token lacks a claim'],
    [
      'a revoked token',
      async (harness) => {
        const token = await own(harness);
        harness.provider.revokeTokens();
        return token;
      },
      'The token was revoked',
    ],
  ];

  test.each(refused)('refuses %s with 401 and the reason', async (_name, make, reason) => {
    const harness = await startHarness();
    const token = await make(harness);
    const response = await harness.ask(application, path, token === undefined ? {} : { token });
    expect(response.status).toBe(401);
    const details = reason === null ? '' : `, error="invalid_token", error_description="${reason}"`;
    expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="${application}"${details}`);
  });

  test('refuses a system that is not registered with 403', async () => {
    const harness = await startHarness();
    const response = await harness.ask(application, path, { token: await harness.systemToken(unregistered) });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  test('identifies the report writer by its oid only', async () => {
    const harness = await startHarness();
    const registered = application === 'interpretation-api' || application === 'variant-store';
    const response = await harness.ask(application, path, { token: await harness.systemToken(reportWriter) });
    expect(response.status).toBe(registered ? admitted : 403);
  });

  test('accepts tokens from before and after a change of keys', async () => {
    const harness = await startHarness();
    const before = await own(harness);
    expect((await harness.ask(application, path, { token: before })).status).toBe(admitted);
    harness.provider.keys.rotate();
    const after = await own(harness);
    expect((await harness.ask(application, path, { token: after })).status).toBe(admitted);
    expect((await harness.ask(application, path, { token: before })).status).toBe(admitted);
  });
});
