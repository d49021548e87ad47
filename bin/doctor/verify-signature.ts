import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { decodeToken } from '../identity/token-claims.ts';
import type { SigningKey } from './published-keys.ts';

/** How a signature algorithm of RFC 7518 (3.1) is verified. */
interface Algorithm {
  readonly keyType: 'RSA' | 'EC';
  readonly hash: string;
  readonly options: { readonly padding?: number; readonly dsaEncoding?: 'ieee-p1363' };
}

const rsa = (hash: string): Algorithm => ({
  keyType: 'RSA',
  hash,
  options: { padding: constants.RSA_PKCS1_PADDING },
});
const rsaPss = (hash: string): Algorithm => ({
  keyType: 'RSA',
  hash,
  options: { padding: constants.RSA_PKCS1_PSS_PADDING },
});
/** The two numbers of the signature one after the other, as JWS writes them. */
const ecdsa = (hash: string): Algorithm => ({
  keyType: 'EC',
  hash,
  options: { dsaEncoding: 'ieee-p1363' },
});

const algorithms: ReadonlyMap<unknown, Algorithm> = new Map([
  ['RS256', rsa('sha256')],
  ['RS384', rsa('sha384')],
  ['RS512', rsa('sha512')],
  ['PS256', rsaPss('sha256')],
  ['PS384', rsaPss('sha384')],
  ['PS512', rsaPss('sha512')],
  ['ES256', ecdsa('sha256')],
  ['ES384', ecdsa('sha384')],
  ['ES512', ecdsa('sha512')],
]);

/** Whether one of the keys signed the token; `unknown` where the token is opaque or its algorithm is not supported. */
export function verifySignature(token: string, keys: readonly SigningKey[]): 'good' | 'bad' | 'unknown' {
  const decoded = decodeToken(token);
  if (!decoded) return 'unknown';
  const { header, signed, signature } = decoded;
  const algorithm = algorithms.get(header.alg);
  if (!algorithm) return 'unknown';
  const { keyType, hash, options } = algorithm;
  const candidates = keys.filter(
    ({ id, jwk }) => jwk.kty === keyType && (header.kid === undefined || id === header.kid),
  );
  const good = candidates.some(({ jwk }) => {
    const key = readKey(jwk);
    return key !== null && verify(hash, Buffer.from(signed), { key, ...options }, signature);
  });
  return good ? 'good' : 'bad';
}

/** Null for a damaged key: it can have signed no token. */
function readKey(jwk: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}
