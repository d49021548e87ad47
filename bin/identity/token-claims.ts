/** The claims of a client-credentials token with their meaning. Source: docs/interfaces.md, "Token claims". */
export const claimMeanings: Readonly<Record<string, string>> = {
  aud: 'resource that the token is for',
  iss: 'issuer of the tenant',
  iat: 'issued',
  nbf: 'valid from',
  exp: 'expires',
  aio: 'opaque',
  appid: 'calling application; rights are granted to it',
  appidacr: 'client authentication: 1 by secret, 2 by certificate',
  idp: 'identity provider',
  oid: 'principal of the application; rights may be granted to it instead',
  sub: 'principal of the application',
  tenant_region_scope: 'region of the tenant',
  tid: 'tenant',
  uti: 'identifier of this token',
  ver: 'version of the token',
};

/** Parts of a signed token. */
interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The text that was signed. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** Reads a token without verifying it. Null for an opaque token, which a provider may well issue. */
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
