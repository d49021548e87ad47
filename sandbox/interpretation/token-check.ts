import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import { familyResource } from '../identity/tenants.ts';

interface TokenCheckOptions {
  /** The name of the application in `WWW-Authenticate`. */
  readonly realm: string;
  /** The issuer of the tenant whose tokens are accepted; its discovery document leads to the keys. */
  readonly issuer: string;
  /** The tenant that the claim `tid` must name. */
  readonly tenantId: string;
  /** The resource of the interpretation API family by default. */
  readonly audience?: string;
  readonly clock: Clock;
  /** Whether an otherwise valid token was revoked. */
  readonly isRevoked?: (claims: JWTPayload) => boolean;
}

/** The claims of a valid token, or the response that refuses the caller. */
type Checked =
  | { readonly ok: true; readonly claims: JWTPayload }
  | { readonly ok: false; readonly refusal: Response };

/** Returns the claims of a request's token, or why it is refused. */
export type TokenCheck = (request: Request) => Promise<Checked>;

const discoverySchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
type Keys = ReturnType<typeof createRemoteJWKSet>;

/**
 * Creates a check of the bearer token of a request, as an application does it that knows only the discovery document:
 * signature by a published key, issuer, tenant, audience, and validity at this moment.
 */
export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const { realm, issuer, tenantId, audience = familyResource, clock, isRevoked = () => false } = options;
  let keys: Promise<Keys> | null = null;

  const refuse = (reason?: string): Checked => ({
    ok: false,
    refusal: reason === undefined ? refusal(realm) : refusal(realm, 'invalid_token', reason),
  });

  return async (request) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return refuse();
    const [, token] = /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization) ?? [];
    if (token === undefined) return refuse('The Authorization header has no bearer token');
    keys ??= discoverKeys(issuer).catch((error: unknown) => {
      keys = null;
      throw error;
    });
    try {
      const { payload } = await jwtVerify(token, await keys, {
        algorithms: ['RS256'],
        issuer,
        audience,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'nbf', 'appid', 'oid', 'tid'],
      });
      if (payload.tid !== tenantId) return refuse('The token is from another tenant');
      return isRevoked(payload) ? refuse('The token was revoked') : { ok: true, claims: payload };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return refuse(reasonOf(error));
    }
  };
}

async function discoverKeys(issuer: string): Promise<Keys> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, { redirect: 'error' });
  const discovered = discoverySchema.parse(await response.json());
  if (discovered.issuer !== issuer)
    throw new Error(`the discovery document of ${issuer} names the issuer ${discovered.issuer}`);
  // An unknown key is looked up at once, because the sandbox changes its keys on request.
  return createRemoteJWKSet(new URL(discovered.jwks_uri), { cooldownDuration: 0 });
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is for another audience';
    if (error.claim === 'iss') return 'The token is from another issuer';
    return error.claim === 'nbf' ? 'The token is not valid yet' : 'The token lacks a claim';
  }
  return 'The token is not signed by a published key';
}

/** The error codes of RFC 6750 (3.1). */
type RefusalError = 'invalid_token' | 'insufficient_scope';

/**
 * The response to a caller that is refused: 401 where another token may help, 403 where none will. It names the scheme to
 * use, and the reason where a token was sent.
 */
export function refusal(
  realm: string,
  error?: RefusalError,
  reason = 'A bearer token is required',
): Response {
  const details = error === undefined ? '' : `, error="${error}", error_description="${reason}"`;
  const headers = { 'www-authenticate': `Bearer realm="${realm}"${details}` };
  return Response.json({ detail: reason }, { status: error === 'insufficient_scope' ? 403 : 401, headers });
}
