import * as z from 'zod';
import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { anonymous, type Limits, serviceUrl } from '../http/access.ts';
import { createHttp } from '../http/http.ts';
import { isLoopback } from '../http/loopback.ts';
import { expectSuccess, type HttpResponse, readJson } from '../http/response.ts';
import {
  assertionAlgorithms,
  type BasicStyle,
  type Credential,
  type GrantSettings,
  stylesDiffer,
  tokenRequest,
} from './credential.ts';
import { IdentityError, IdentityProviderError, identityProviderErrors } from './secret.ts';

/** The token endpoint and how to ask it. */
export interface IdentityProviderSettings extends Omit<GrantSettings, 'basic'> {
  /** The address of the identity provider, without the tenant. */
  readonly authUrl: string;
  readonly tenantId: string;
  /** How the Basic header is written. Where absent, `raw`, then once `form` if `raw` is refused. */
  readonly basic?: BasicStyle | undefined;
}

interface TokenExchangeOptions {
  readonly settings: IdentityProviderSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<Limits> | undefined;
  /** When aborted, the exchange under way ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The token endpoint of one tenant. */
export interface TokenExchange {
  readonly endpoint: string;
  /**
   * Requests a token. With `retry`, a transient error is retried.
   *
   * @throws {IdentityError} when the credential or the client is refused, or the response holds no token
   * @throws {IdentityProviderError} when the exchange fails
   */
  ask(credential: Credential, retry: boolean): Promise<Token>;
  requests(): number;
  close(): Promise<void>;
}

/** A token is a few kB, and its request should not take longer than that for data. */
const tokenLimits: Partial<Limits> = {
  headersMs: 8_000,
  bodyMs: 5_000,
  exchangeMs: 10_000,
  bodyBytes: 64 * 1024,
  retries: 2,
  longestWaitMs: 10_000,
};

type SecretCredential = Credential & { readonly kind: 'secret' };
type CertificateCredential = Credential & { readonly kind: 'certificate' };

/**
 * Creates a client of the token endpoint.
 *
 * @throws {IdentityProviderError} `…_ADDRESS_WRONG` when the settings hold no usable address
 */
export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  const { settings, clock, log, limits, signal } = options;
  const { base, token: endpoint, discovery } = tenantAddresses(settings.authUrl, settings.tenantId);
  const http = createHttp({
    base,
    errors: identityProviderErrors,
    access: anonymous,
    clock,
    log,
    limits: { ...tokenLimits, ...limits },
    signal,
  });
  const pathOf = (address: string): string => address.slice(base.href.length);
  /** The style that was accepted last. */
  let basic: BasicStyle = settings.basic ?? 'raw';
  let otherRequests = 0;

  const send = (credential: Credential, style: BasicStyle, idempotent: boolean): Promise<Token> => {
    const request = tokenRequest(credential, { settings: { ...settings, basic: style }, endpoint, clock });
    return http.send({ method: 'POST', path: pathOf(endpoint), ...request, idempotent }, (response) =>
      readTokenResponse(response, `Requesting a token at ${endpoint}`),
    );
  };

  /** Where no style is set and the client is refused, tries the other style once and remembers what was accepted. */
  const askBySecret = async (credential: SecretCredential, retry: boolean): Promise<Token> => {
    const { clientId, clientSecret } = credential;
    try {
      return await send(credential, basic, retry);
    } catch (error) {
      if (!(error instanceof IdentityError) || !mayBeMisread(error)) throw error;
      if (!stylesDiffer(clientId, clientSecret)) throw error;
      const other = basic === 'raw' ? 'form' : 'raw';
      if (settings.basic !== undefined) throw withHint(error, basicHint(basic, other));
      const token = await send(credential, other, retry).catch((second: unknown) => {
        // Where only one of the two reached the check of the secret, its refusal says more.
        throw error.code === 'CREDENTIAL_REFUSED' ? error : second;
      });
      log.info('The identity provider accepts this form of the Basic header', { basic: other });
      basic = other;
      return token;
    }
  };

  const askByCertificate = async (credential: CertificateCredential, retry: boolean): Promise<Token> => {
    const attempt = () => send(credential, basic, false);
    try {
      return await attempt().catch((error: unknown) => {
        // An assertion is valid for one request, so a retry needs a new one.
        if (retry && error instanceof IdentityProviderError && error.transient) return attempt();
        throw error;
      });
    } catch (error) {
      if (!(error instanceof IdentityError) || error.code !== 'CREDENTIAL_REFUSED') throw error;
      const hint = await algorithmHint(credential);
      throw hint === null ? error : withHint(error, hint);
    }
  };

  /** Which algorithm to set, where the discovery document does not list the one used. */
  const algorithmHint = async ({ key }: CertificateCredential): Promise<string | null> => {
    otherRequests += 1;
    const document = await http
      .send({ path: pathOf(discovery), idempotent: false }, readDiscovery)
      .catch(() => null);
    const listed = document?.token_endpoint_auth_signing_alg_values_supported ?? [];
    if (listed.length === 0 || listed.includes(key.algorithm)) return null;
    const other = assertionAlgorithms.find((algorithm) => listed.includes(algorithm));
    const states = `The discovery document of the tenant does not list ${key.algorithm}`;
    return other
      ? `${states} but ${other}: set "algorithm": "${other}" in the secret.`
      : `${states}, nor another algorithm that is supported here.`;
  };

  return {
    endpoint,
    ask: (credential, retry) =>
      credential.kind === 'secret' ? askBySecret(credential, retry) : askByCertificate(credential, retry),
    requests: () => http.traffic.requests - otherRequests,
    close: http.close,
  };
}

/** Whether the provider may have read another client id or secret than the one in the Basic header. */
const mayBeMisread = ({ code, oauthError }: IdentityError): boolean =>
  code === 'CREDENTIAL_REFUSED' || oauthError === 'unauthorized_client' || oauthError === 'invalid_request';

const styleNames = { raw: 'as they are', form: 'percent-encoded' } as const satisfies Record<
  BasicStyle,
  string
>;

const basicHint = (used: BasicStyle, other: BasicStyle): string =>
  `Client id and secret were sent ${styleNames[used]}: set basic to ${other} (--basic, AUTH_BASIC), or leave it out so that both forms are tried.`;

const withHint = (error: IdentityError, hint: string): IdentityError =>
  new IdentityError(error.code, error.action, error.seen, { cause: error.cause, hint });

function readTokenResponse(response: HttpResponse, action: string): Token {
  const { status, fail } = response;
  if (status !== 200 && status !== 400 && status !== 401) {
    const condition = status === 403 ? 'FORBIDDEN' : status === 404 ? 'NOT_FOUND' : 'REQUEST_REFUSED';
    throw fail(condition, `the response is HTTP ${status}`);
  }
  // A 401 is a refusal with any body.
  const body = status === 401 ? readIfJson(response) : readJson(response);
  const refusal = tokenRefusal(response, body, action);
  if (refusal) throw refusal;
  if (status !== 200) throw fail('REQUEST_REFUSED', `the response is HTTP ${status} and states no error`);
  return readTokenReply(body, action);
}

function readIfJson(response: HttpResponse): unknown {
  try {
    return readJson(response);
  } catch {
    return null;
  }
}

const refusalSchema = z.lazy(() =>
  z.looseObject({ error: z.string(), error_description: z.unknown().optional() }),
);

/** The error codes of RFC 6749 (5.2) and those that identity providers add. Other text is never repeated. */
const knownErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_resource',
  'invalid_target',
  'access_denied',
  'interaction_required',
  'temporarily_unavailable',
  'server_error',
]);

/**
 * The error that a response of the token endpoint states, or null where it states none. Of a description only the
 * AADSTS number is shown, because the rest may repeat what was sent.
 */
function tokenRefusal(response: HttpResponse, body: unknown, action: string): IdentityError | null {
  const refusal = refusalSchema.safeParse(body);
  if (!refusal.success && response.status !== 401) return null;
  const { error, error_description: description } = refusal.data ?? { error: 'no error code' };
  const number = /\bAADSTS\d{1,10}\b/.exec(String(description))?.[0];
  const known = knownErrors.has(error);
  const stated = known || !refusal.success ? error : 'an unknown error code';
  const seen = `the response is HTTP ${response.status} with ${stated}${number ? ` (${number})` : ''}`;
  const refused = error === 'invalid_client' || response.status === 401;
  return new IdentityError(refused ? 'CREDENTIAL_REFUSED' : 'TOKEN_REFUSED', action, seen, {
    ...(known && { oauthError: error }),
    ...hintFor(error),
  });
}

function hintFor(error: string): { readonly hint?: string } {
  if (error === 'invalid_resource' || error === 'invalid_target') {
    return { hint: 'The tenant does not know the resource (--resource, AUTH_RESOURCE).' };
  }
  if (error === 'invalid_scope') return { hint: 'The tenant does not know the scope (--scope, AUTH_SCOPE).' };
  return {};
}

/** A token and its lifetime. */
export interface Token {
  readonly value: string;
  /** Seconds from its issue, limited to one day. */
  readonly lifetime: number;
}

/** Seconds, where the response states no usable lifetime. Short, because a refused token costs only one retry. */
const UNSTATED_LIFETIME = 60;
/** Seconds. No token is kept longer, even where the response states more. */
const LONGEST_LIFETIME = 24 * 60 * 60;

const replySchema = z.lazy(() =>
  z.looseObject({
    token_type: z.string().regex(/^bearer$/i),
    /** Any text that a header can carry: RFC 6750 (2.1) allows less, but providers do not keep to it. */
    access_token: z.string().regex(/^[!-~]+$/),
    expires_in: z.unknown().optional(),
    expires_on: z.unknown().optional(),
    not_before: z.unknown().optional(),
  }),
);

/**
 * Reads the body of a token response. Source: docs/interfaces.md, "Token response".
 *
 * @throws {IdentityError} `TOKEN_WRONG`, quoting nothing of the body
 */
export function readTokenReply(reply: unknown, action: string): Token {
  const read = replySchema.safeParse(reply);
  if (read.success) return { value: read.data.access_token, lifetime: lifetimeOf(read.data) };
  const wrong = problems.find(({ path }) => read.error.issues.some((issue) => issue.path[0] === path));
  throw new IdentityError(
    'TOKEN_WRONG',
    action,
    `the response has ${wrong?.problem ?? 'a body that is not a JSON object'}`,
  );
}

const problems = [
  { path: 'access_token', problem: 'no access_token that a header can carry' },
  { path: 'token_type', problem: 'a token_type other than Bearer' },
];

/** Seconds: `expires_in`, else the difference between the server's two timestamps. */
function lifetimeOf({ expires_in, expires_on, not_before }: z.output<typeof replySchema>): number {
  const stated = [seconds(expires_in), seconds(expires_on) - seconds(not_before)].find((some) => some > 0);
  return Math.min(stated ?? UNSTATED_LIFETIME, LONGEST_LIFETIME);
}

/** The value of a number, or of a number written as text; NaN for anything else. */
function seconds(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

interface TenantAddresses {
  /** Ends in a slash. */
  readonly base: URL;
  readonly token: string;
  readonly discovery: string;
}

/**
 * Builds the addresses from the provider's address and the tenant's id.
 *
 * @throws {IdentityProviderError} `…_ADDRESS_WRONG` when either is unusable, and for http to another machine, which
 * would send the credential unencrypted
 */
export function tenantAddresses(authUrl: string, tenantId: string): TenantAddresses {
  const base = serviceUrl(authUrl, identityProviderErrors);
  const wrong = (seen: string): IdentityProviderError =>
    new IdentityProviderError({
      condition: 'ADDRESS_WRONG',
      action: 'Reading the address of the identity provider',
      seen,
    });
  if (base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw wrong(`${base.href} is http, which is accepted for localhost only; expected https`);
  }
  if (!/^[\w.-]*\w[\w.-]*$/.test(tenantId))
    throw wrong(`the tenant ${JSON.stringify(tenantId)} is not a part of a path`);
  const tenant = new URL(`./${tenantId}`, base).href;
  return { base, token: `${tenant}/oauth2/token`, discovery: `${tenant}/.well-known/openid-configuration` };
}

const discoverySchema = z.lazy(() =>
  z.looseObject({
    issuer: z.string(),
    jwks_uri: z.string(),
    token_endpoint: z.string(),
    token_endpoint_auth_signing_alg_values_supported: z.array(z.string()).optional(),
  }),
);

/** The discovery document of a tenant. Source: docs/interfaces.md, "The identity provider". */
type Discovery = z.infer<typeof discoverySchema>;

/**
 * Reads a response as a discovery document.
 *
 * @throws {ServiceError} `…_REQUEST_REFUSED` when it is not one, and as `expectSuccess` and `readJson` do
 */
export function readDiscovery(response: HttpResponse): Discovery {
  expectSuccess(response);
  const read = discoverySchema.safeParse(readJson(response));
  if (read.success) return read.data;
  throw response.fail('REQUEST_REFUSED', 'the discovery document lacks issuer, jwks_uri or token_endpoint');
}
