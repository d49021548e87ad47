import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { decodeToken } from '../identity/token-claims.ts';
import type { SigningKey } from './published-keys.ts';

const paddings: Readonly<Record<string, number>> = {
  RS256: constants.RSA_PKCS1_PADDING,
  PS256: constants.RSA_PKCS1_PSS_PADDING,
};

/** Whether one of the keys signed the token; `unknown` where it is no signed token of a kind that is known here. */
export function verifySignature(token: string, keys: readonly SigningKey[]): 'good' | 'bad' | 'unknown' {
  const decoded = decodeToken(token);
  if (!decoded) return 'unknown';
  const { header, signed, signature } = decoded;
  const padding = paddings[String(header.alg)];
  if (padding === undefined) return 'unknown';
  const named = keys.filter(
    ({ id, jwk }) => jwk.kty === 'RSA' && (header.kid === undefined || id === header.kid),
  );
  const good = named.some(({ jwk }) => {
    const key = readKey(jwk);
    return key !== null && verify('sha256', Buffer.from(signed), { key, padding }, signature);
  });
  return good ? 'good' : 'bad';
}

/** Null for a key that is damaged: no token is signed by it. */
function readKey(jwk: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}
