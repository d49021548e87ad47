import type { Access } from '../../lambdas/catalogue/http/access.ts';
import { bearerAccess } from '../../lambdas/catalogue/identity/bearer-access.ts';
import { type Credential, readCredential } from '../../lambdas/catalogue/identity/credential.ts';
import { createSecret, type Secret } from '../../lambdas/catalogue/identity/secret.ts';
import { createTokenExchange, type TokenExchange } from '../../lambdas/catalogue/identity/token-exchange.ts';
import { createTokenSource } from '../../lambdas/catalogue/identity/token-source.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { readAddress } from '../arguments.ts';
import type { Identity } from './identity-options.ts';

/** A credential, and the token endpoint that accepts it. */
export interface OpenIdentity {
  readonly secret: Secret<Credential>;
  readonly exchange: TokenExchange;
  /** Sends a bearer token with each request, and renews it when needed. */
  readonly access: Access;
  close(): Promise<void>;
}

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
export function openIdentity(
  { settings, source }: Identity,
  { clock, log, signal }: IdentityContext,
): OpenIdentity {
  const exchange = readAddress('--auth-url or --tenant (AUTH_URL, TENANT_ID)', () =>
    createTokenExchange({ settings, clock, log, signal }),
  );
  const secret = createSecret({ source, parse: readCredential, log });
  const tokens = createTokenSource({ exchange, secret, clock, log });
  return { secret, exchange, access: bearerAccess(tokens), close: tokens.close };
}
