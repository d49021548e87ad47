import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import { type Clock, systemClock } from '../../lambdas/run/clock.ts';
import type { AccessSettings } from './access-settings.ts';
import type { SessionsOf } from './sessions.ts';

/** What the page keeps, in the browser alone, from the begin of a sign-in to its end. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface SignedIn {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The provider's own session; null where it names none. */
  readonly providerSession: string | null;
}

interface Logout extends SessionsOf {
  /** The token's own id, unique at the provider. */
  readonly id: string;
  /** When the token can no longer be used, in milliseconds since the epoch. */
  readonly ends: number;
}

/** An OpenID Connect provider, for the authorisation code flow with PKCE. */
export interface Provider {
  /** Where the browser goes to sign in. */
  begin(): Promise<{ readonly url: URL; readonly attempt: Attempt }>;
  /**
   * Redeems the code that the browser came back with, and checks the ID token.
   * @throws {Error} when the provider refused, or anything of its answer is not as expected
   */
  finish(callback: URL, attempt: Attempt): Promise<SignedIn>;
  /**
   * Whose sessions a logout token of the provider ends.
   * @throws {Error} when it is not a valid one
   */
  readLogout(token: string): Promise<Logout>;
}

interface ProviderOptions {
  readonly settings: NonNullable<AccessSettings['provider']>;
  /** Null for a client without one. */
  readonly secret: string | null;
  /** The address to which the provider sends the browser back. */
  readonly redirectUri: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Changes of the provider's addresses and keys are noticed after so long. */
const KEPT_MS = 3_600_000;
/** How far the clocks of provider and page may differ. */
const TOLERANCE_SECONDS = 30;
const LOGOUT_SECONDS = 300;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A provider, whose discovery document is read when it is needed. */
export function createProvider({ settings, secret, redirectUri, clock }: ProviderOptions): Provider {
  const { issuer, clientId, scope } = settings;
  let kept: { readonly at: number; readonly skew: number; readonly config: client.Configuration } | undefined;
  let keys: { readonly address: string; readonly get: JWTVerifyGetKey } | undefined;

  const configuration = async (): Promise<client.Configuration> => {
    const now = clock.now();
    // The library asks the machine for the time.
    const skew = Math.round((now - systemClock.now()) / 1000);
    if (!kept || now - kept.at > KEPT_MS || Math.abs(skew - kept.skew) > TOLERANCE_SECONDS / 2) {
      const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: TOLERANCE_SECONDS };
      const execute = [
        // Checks the signature of the ID token too, which the standard leaves open for one that came over TLS.
        client.enableNonRepudiationChecks,
        ...(isLoopback(new URL(issuer).hostname) ? [client.allowInsecureRequests] : []),
      ];
      const config = await client.discovery(new URL(issuer), clientId, metadata, authenticationOf(secret), {
        execute,
      });
      kept = { at: now, skew, config };
    }
    return kept.config;
  };

  return {
    async begin() {
      const config = await configuration();
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url, attempt };
    },
    async finish(callback, { state, nonce, verifier }) {
      const tokens = await client.authorizationCodeGrant(await configuration(), callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
      return { claims, providerSession: typeof claims.sid === 'string' ? claims.sid : null };
    },
    async readLogout(token) {
      const { issuer: named, jwks_uri: address = '' } = (await configuration()).serverMetadata();
      if (keys?.address !== address) keys = { address, get: createRemoteJWKSet(new URL(address)) };
      const { payload } = await jwtVerify(token, keys.get, {
        issuer: named,
        audience: clientId,
        currentDate: new Date(clock.now()),
        maxTokenAge: LOGOUT_SECONDS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['iat', 'jti'],
      });
      const { events, sub, sid, nonce, jti } = payload as Readonly<Record<string, unknown>>;
      // An ID token must not end a session: these claims distinguish the two.
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
      if (!isLogout || nonce !== undefined) throw new Error('it is not a logout token');
      if (typeof jti !== 'string' || jti === '') throw new Error('it has no id');
      const own = { id: jti, ends: clock.now() + (LOGOUT_SECONDS + 2 * TOLERANCE_SECONDS) * 1000 };
      if (typeof sid !== 'string' && typeof sub !== 'string')
        throw new Error('it names neither a session nor a person');
      return {
        ...own,
        ...(typeof sid === 'string' && { providerSession: sid }),
        ...(typeof sub === 'string' && { person: personId(named, sub) }),
      };
    },
  };
}

/** How a person of a provider is kept: a subject is unique within its issuer only. */
export const personId = (issuer: string, subject: string): string => `${issuer}|${subject}`;

/** The Basic header where the provider takes it, as all must unless they say otherwise; else the fields of the form. */
function authenticationOf(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, own, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const inForm = methods !== undefined && !methods.includes('client_secret_basic');
    return (inForm ? post : basic)(server, own, body, headers);
  };
}
