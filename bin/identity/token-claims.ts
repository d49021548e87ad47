/** The claims of a client-credentials token with their meaning (interface specification, "Token claims"). */
export const claimMeanings: Readonly<Record<string, string>> = {
  aud: 'what the token is for',
  iss: 'issuer of the tenant',
  iat: 'issued',
  nbf: 'valid from',
  exp: 'expires',
  aio: 'opaque',
  appid: 'the calling application; decides what may be done',
  appidacr: 'how the client proved itself: 1 by secret, 2 by certificate',
  idp: 'identity provider',
  oid: "the application's principal; may also decide what may be done",
  sub: "the application's principal",
  tenant_region_scope: 'region of the tenant',
  tid: 'tenant',
  uti: 'identifier of this token',
  ver: 'version of the token',
};

/** Parts of a signed token. */
export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What the signature is over. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** Reads a token without verifying it; null where it is none that can be read, which its owner may well want. */
export function decodeToken(token: string): DecodedToken | null {
  const [head, body, signature, ...more] = token.split('.');
  if (!head || !body || signature === undefined || more.length > 0) return null;
  const [header, claims] = [head, body].map(readPart);
  if (!header || !claims) return null;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function readPart(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
