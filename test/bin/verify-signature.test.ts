import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { verifySignature } from '../../bin/doctor/check-identity.ts';

async function signedBy(alg: string, kid = 'one') {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const token = await new SignJWT({ appid: 'x' }).setProtectedHeader({ alg, kid }).sign(privateKey);
  return { token, key: { id: kid, jwk: { ...(await exportJWK(publicKey)) } } };
}

describe.each(['ES256', 'ES384', 'ES512'])('a token signed with %s', (alg) => {
  test('is good by its own key among others', async () => {
    const { token, key } = await signedBy(alg);
    const other = (await signedBy('ES256', 'other')).key;
    expect(verifySignature(token, [other, key])).toBe('good');
  });

  test('is bad by another key, a key of another name and a changed claim', async () => {
    const { token, key } = await signedBy(alg);
    const other = await signedBy(alg);
    expect(verifySignature(token, [other.key])).toBe('bad');
    expect(verifySignature(token, [{ ...key, id: 'two' }])).toBe('bad');
    const [header, , signature] = token.split('.');
    const claims = Buffer.from('{"appid":"y"}').toString('base64url');
    expect(verifySignature(`${header}.${claims}.${signature}`, [key])).toBe('bad');
  });
});

test('an opaque token and one without a supported algorithm are unknown', async () => {
  expect(verifySignature('opaque', [])).toBe('unknown');
  const header = Buffer.from('{"alg":"none"}').toString('base64url');
  const claims = Buffer.from('{"appid":"x"}').toString('base64url');
  expect(verifySignature(`${header}.${claims}.`, [])).toBe('unknown');
});

test('a damaged key has signed no token', async () => {
  const { token } = await signedBy('ES256');
  expect(verifySignature(token, [{ id: 'one', jwk: { kty: 'EC', crv: 'P-256', x: '', y: '' } }])).toBe('bad');
});
