import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { familyResource } from '../identity/tenants.ts';
import { refusal } from './refusal.ts';

export interface TokenCheckOptions {
  /** What the application calls itself in `WWW-Authenticate`. */
  readonly realm: string;
  /** Issuer of the tenant whose tokens are taken; keys are found by its discovery document. */
  readonly issuer: string;
  /** By default the resource that the interpretation API family is. */
  readonly audience?: string;
  readonly clock: Clock;
  /** Whether a token that is good by itself was withdrawn. */
  readonly isRevoked?: (claims: JWTPayload) => boolean;
}

/** The claims of a good token, or the answer that refuses the caller. */
type Checked =
  | { readonly ok: true; readonly claims: JWTPayload }
  | { readonly ok: false; readonly refusal: Response };

export type TokenCheck = (request: Request) => Promise<Checked>;

const discoverySchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
type Keys = ReturnType<typeof createRemoteJWKSet>;

/**
 * Checks the bearer token of a request as an application does that knows the identity provider by its discovery
 * document alone: signature by a published key, issuer, audience, and validity at this moment.
 */
export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const { realm, issuer, audience = familyResource, clock, isRevoked = () => false } = options;
  let keys: Promise<Keys> | null = null;

  const refuse = (why?: string): Checked => ({
    ok: false,
    refusal: why === undefined ? refusal(realm) : refusal(realm, 'invalid_token', why),
  });

  return async (request) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return refuse();
    const [, token] = /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization) ?? [];
    if (token === undefined) return refuse('The Authorization header holds no bearer token');
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
      return isRevoked(payload) ? refuse('The token was withdrawn') : { ok: true, claims: payload };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return refuse(reasonOf(error));
    }
  };
}

async function discoverKeys(issuer: string): Promise<Keys> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`, { redirect: 'error' });
  const discovered = discoverySchema.parse(await answer.json());
  if (discovered.issuer !== issuer) throw new Error(`${issuer} says that it is ${discovered.issuer}`);
  // A key that is not known yet is looked up at once: the sandbox changes its keys when it is told to.
  return createRemoteJWKSet(new URL(discovered.jwks_uri), { cooldownDuration: 0 });
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is for another audience';
    if (error.claim === 'iss') return 'The token comes from another issuer';
    return error.claim === 'nbf' ? 'The token is not valid yet' : 'The token lacks a claim';
  }
  return 'The token is not signed by a published key';
}
