import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { decisionSupport } from '../../../sandbox/identity/accounts.ts';
import { noon } from '../../run/test-clock.ts';
import { startHarness } from './provider-harness.ts';
import { selfSigned } from './self-signed.ts';

const { clientId } = decisionSupport;
const own = selfSigned({ name: 'own', from: noon - 1e9, until: noon + 1e9 });
const { raw } = new X509Certificate(own.certificate);
const thumbprint = (hash: string, encoding: 'base64' | 'base64url'): string =>
  createHash(hash).update(raw).digest(encoding);

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An assertion signed with RS256, with these fields in its header. */
function assertionWith(header: object, audience: string): string {
  const seconds = noon / 1000;
  const claims = { aud: audience, iss: clientId, sub: clientId, jti: '1', iat: seconds, exp: seconds + 300 };
  const signed = `${part({ alg: 'RS256', typ: 'JWT', ...header })}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), createPrivateKey(own.privateKey)).toString('base64url')}`;
}

test.each([
  ['x5t#S256 without padding', { 'x5t#S256': thumbprint('sha256', 'base64url') }, 200],
  ['x5t#S256 with padding', { 'x5t#S256': `${thumbprint('sha256', 'base64url')}=` }, 200],
  ['x5t without padding', { x5t: thumbprint('sha1', 'base64url') }, 200],
  ['x5t with padding', { x5t: `${thumbprint('sha1', 'base64url')}=` }, 200],
  ['another certificate', { x5t: 'AAAA' }, 401],
])('an assertion whose header names its certificate by %s', async (_, header, status) => {
  const { provider, ask } = await startHarness();
  provider.directory.register(clientId, own.certificate);
  const audience = `${provider.issuer('a1e4c0de-0000-4000-8000-00000000da7a')}/oauth2/token`;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertionWith(header, audience),
  });
  expect((await ask({ authorization: null, body: form.toString() })).status).toBe(status);
});
