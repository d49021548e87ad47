import { type Access, anonymous, fixedHeader } from '../lambdas/catalogue/http/access.ts';
import { readCredential } from '../lambdas/catalogue/identity/credential.ts';
import { createSecret } from '../lambdas/catalogue/identity/secret.ts';
import { createTokenExchange } from '../lambdas/catalogue/identity/token-exchange.ts';
import { bearerAccess, createTokenSource } from '../lambdas/catalogue/identity/token-source.ts';
import type { Clock } from '../lambdas/run/clock.ts';
import type { Log } from '../lambdas/run/log.ts';
import { orUsage } from './arguments.ts';
import type { Io } from './command.ts';
import { inSection, type OptionValues } from './declare-command.ts';
import { type Identity, identityOptions, namesIdentity, readIdentity } from './identity-options.ts';

/** A credential, and the token endpoint that accepts it. */
export type OpenIdentity = ReturnType<typeof openIdentity>;

interface IdentityContext {
  readonly clock: Clock;
  readonly log: Log;
  /** When aborted, the exchange under way ends. */
  readonly signal?: AbortSignal;
}

/**
 * Prepares the use of an identity provider. No request is sent yet.
 *
 * @throws {UsageError} when the address of the provider is unusable
 */
export function openIdentity({ settings, source }: Identity, { clock, log, signal }: IdentityContext) {
  const exchange = orUsage(
    () => createTokenExchange({ settings, clock, log, signal }),
    '--auth-url or --tenant (AUTH_URL, TENANT_ID)',
  );
  const secret = createSecret({ source, parse: readCredential, log });
  const tokens = createTokenSource({ exchange, secret, clock, log });
  return {
    secret,
    exchange,
    /** Sends a bearer token with each request, and renews it when needed. */
    access: bearerAccess(tokens),
    close: tokens.close,
  };
}

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

/** Reads a token without verifying it; `signed` is the text that was signed. Null for an opaque token, which a provider may well issue. */
export function decodeToken(token: string) {
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

/** A catalogue access with its connections. */
export interface OpenAccess {
  readonly access: Access;
  close(): Promise<void>;
}

type Values = OptionValues<typeof identityOptions>;

/**
 * Creates the access to a catalogue: a header from the environment, else a token of the identity provider where one is
 * given, else none.
 *
 * @throws {UsageError} when an identity provider is given without a usable credential
 */
export function openAccess(values: Values, { env, clock, signal }: Io, log: Log): OpenAccess {
  const authorization = env.CATALOGUE_AUTHORIZATION;
  if (authorization) {
    return { access: fixedHeader('Authorization', authorization), close: async () => {} };
  }
  if (!namesIdentity(values, env)) return { access: anonymous, close: async () => {} };
  return openIdentity(readIdentity(values, env), { clock, log, signal });
}

/** The options of an identity provider, for a catalogue that may require it. */
export const accessOptions = inSection(
  {
    heading: 'Access, where the catalogue requires credentials, is one of:',
    isBrief: true,
    note: `  CATALOGUE_AUTHORIZATION in the environment: the value of the Authorization header, such as "Token …"
  --auth-url, --tenant, --secret-file … of an identity provider: see gene-panel-notifier api token --help`,
  },
  identityOptions,
);
