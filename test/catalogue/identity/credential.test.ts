import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readHeader } from '../../../lambdas/catalogue/identity/access-of.ts';
import { readCredential } from '../../../lambdas/catalogue/identity/credential.ts';
import { IdentityError } from '../../../lambdas/catalogue/identity/secret.ts';
import { noon } from '../../run/test-clock.ts';
import { selfSigned } from '../../sandbox/identity/self-signed.ts';
import { CANARY, showsCanary } from './canaries.ts';
import { rsaKey } from './rsa-keys.ts';

const valid = { from: noon - 1e9, until: noon + 1e9 };
const own = selfSigned({ name: 'own', ...valid });
const other = selfSigned({ name: 'other', ...valid, key: rsaKey(1) });
const weakKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
const weak = selfSigned({ name: 'weak', ...valid, key: weakKey });
const { privateKey: curve } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const { privateKey: pss } = generateKeyPairSync('rsa-pss', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

function failure(read: () => unknown): Error {
  try {
    read();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it was taken');
}

describe('readCredential()', () => {
  test('reads id and secret', () => {
    const text = JSON.stringify({ client_id: 'id', client_secret: 's:e+c', note: 'rotated in May' });
    expect(readCredential(text, 'Reading')).toEqual({
      kind: 'secret',
      clientId: 'id',
      clientSecret: 's:e+c',
    });
  });

  test.each([undefined, 'PS256', 'RS256'])('reads a key with its certificate, algorithm %s', (algorithm) => {
    const { privateKey: private_key, certificate } = own;
    const text = JSON.stringify({ client_id: 'id', private_key, certificate, algorithm });
    const credential = readCredential(text, 'Reading');
    expect(credential).toMatchObject({ kind: 'certificate', key: { algorithm: algorithm ?? 'PS256' } });
  });

  const key = { private_key: own.privateKey, certificate: own.certificate };
  const secret = CANARY;
  const wrong: [string, unknown, string][] = [
    ['random text, as in a new secret', `x${CANARY}`, 'it is not JSON'],
    ['broken JSON', `{"client_secret": "${CANARY}`, 'it is not JSON'],
    ['nothing', '', 'it is not JSON'],
    ['a list', [CANARY], 'it is not a JSON object'],
    ['text', JSON.stringify(CANARY), 'it is not a JSON object'],
    ['null', 'null', 'it is not a JSON object'],
    ['no client_id', { client_secret: secret }, 'client_id is missing'],
    [
      'no client_secret',
      { client_id: CANARY },
      'client_secret is missing (or private_key and certificate in its place)',
    ],
    ['another spelling', { clientId: CANARY, clientSecret: secret }, 'client_id is missing'],
    ['an empty client_secret', { client_id: 'id', client_secret: '' }, 'client_secret is empty'],
    ['a number', { client_id: 'id', client_secret: 12345 }, 'client_secret is not text'],
    ['an object', { client_id: 'id', client_secret: { value: secret } }, 'client_secret is not text'],
    [
      'secret and key',
      { client_id: 'id', client_secret: secret, ...key },
      'it has both client_secret and private_key',
    ],
    ['a key without certificate', { client_id: 'id', private_key: own.privateKey }, 'certificate is missing'],
    [
      'another algorithm',
      { client_id: 'id', ...key, algorithm: CANARY },
      'algorithm is neither PS256 nor RS256',
    ],
    [
      'an unreadable key',
      { client_id: 'id', ...key, private_key: CANARY },
      'private_key is not readable PEM',
    ],
    [
      'an unreadable certificate',
      { client_id: 'id', ...key, certificate: CANARY },
      'certificate is not readable PEM',
    ],
    [
      'swapped parts',
      { client_id: 'id', private_key: own.certificate, certificate: own.privateKey },
      'private_key is not readable PEM',
    ],
    [
      "another key's certificate",
      { client_id: 'id', ...key, certificate: other.certificate },
      'do not belong together',
    ],
    [
      'a short key',
      { client_id: 'id', private_key: weak.privateKey, certificate: weak.certificate },
      'at least 2048 bits',
    ],
    [
      'a certificate without key',
      { client_id: 'id', certificate: own.certificate },
      'client_secret is missing',
    ],
    ['two mistakes', { client_secret: 5 }, 'client_id is missing, client_secret is not text. '],
    ['a key for another padding', { client_id: 'id', ...key, private_key: pss }, 'not an RSA key'],
    ['a key of another kind', { client_id: 'id', ...key, private_key: curve }, 'not an RSA key'],
  ];

  test.each(wrong)('names what is wrong with %s, and quotes nothing', (_name, value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const error = failure(() => readCredential(text, 'Reading the secret arn:x'));
    expect(error).toBeInstanceOf(IdentityError);
    expect(error.message).toContain('Reading the secret arn:x: ');
    expect(error.message).toContain(message);
    expect(error.message).toContain('docs/identity.md');
    expect(showsCanary(error)).toBe(false);
  });
});

describe('readHeader()', () => {
  test('reads the Authorization header', async () => {
    const access = readHeader(JSON.stringify({ authorization: 'Token abc' }), 'Reading');
    expect(await access.headers()).toEqual({ authorization: 'Token abc' });
  });

  test.each([
    ['text that is not JSON', `Token ${CANARY}`, 'it is not JSON'],
    ['no authorization', JSON.stringify({ token: CANARY }), 'authorization is missing'],
    ['a line break', JSON.stringify({ authorization: `Token ${CANARY}\r\nHost: evil` }), 'line break'],
  ])('names what is wrong with %s, and quotes nothing', (_name, text, message) => {
    const error = failure(() => readHeader(text, 'Reading'));
    expect(error.message).toContain(message);
    expect(showsCanary(error)).toBe(false);
  });
});
