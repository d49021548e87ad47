import * as z from 'zod';
import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { type Access, anonymous, fixedHeader, type Limits } from '../http/access.ts';
import { type BasicStyle, filledText, readCredential, readKeys } from './credential.ts';
import { createSecret, type Secret, type SecretSource } from './secret.ts';
import { secretsManagerSecret } from './secrets-manager.ts';
import { createTokenExchange } from './token-exchange.ts';
import { bearerAccess, createTokenSource } from './token-source.ts';

/** The access settings of one catalogue, under the names of the function's environment variables. */
export type AccessSettings =
  | { readonly ACCESS: 'none' }
  | { readonly ACCESS: 'header'; readonly SECRET_ID: string }
  | {
      readonly ACCESS: 'client-credentials';
      readonly SECRET_ID: string;
      readonly AUTH_URL: string;
      readonly TENANT_ID: string;
      readonly AUTH_RESOURCE?: string | undefined;
      readonly AUTH_SCOPE?: string | undefined;
      readonly AUTH_BASIC?: BasicStyle | undefined;
    };

interface AccessOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The store of the secret; AWS Secrets Manager by default. */
  readonly source?: ((secretId: string) => SecretSource) | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/** The access to a catalogue, with its counter and connections. */
export interface OpenedAccess extends Access {
  readonly tokenRequests: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Creates the access to a catalogue: none, a fixed header, or a token of the identity provider. Secret and token are
 * read when the first request needs them, then kept in memory.
 *
 * @throws {IdentityProviderError} `…_ADDRESS_WRONG` when the address of the identity provider is unusable
 */
export function accessOf(settings: AccessSettings, options: AccessOptions): OpenedAccess {
  const { clock, log, limits, source = (secretId: string) => secretsManagerSecret({ secretId }) } = options;
  if (settings.ACCESS === 'none') return withoutTokens(anonymous);
  const secretOptions = { source: source(settings.SECRET_ID), log };
  if (settings.ACCESS === 'header') {
    return withoutTokens(headerAccess(createSecret({ ...secretOptions, parse: readHeader })));
  }
  const exchange = createTokenExchange({
    settings: {
      authUrl: settings.AUTH_URL,
      tenantId: settings.TENANT_ID,
      resource: settings.AUTH_RESOURCE,
      scope: settings.AUTH_SCOPE,
      basic: settings.AUTH_BASIC,
    },
    clock,
    log,
    limits,
  });
  const secret = createSecret({ ...secretOptions, parse: readCredential });
  const tokens = createTokenSource({ exchange, secret, clock, log });
  return { ...bearerAccess(tokens), tokenRequests: tokens.requests, close: tokens.close };
}

const withoutTokens = (access: Access): OpenedAccess => ({
  ...access,
  tokenRequests: () => 0,
  close: async () => {},
});

const schema = z.lazy(() => z.looseObject({ authorization: filledText }, { error: 'is not a JSON object' }));

/**
 * Reads the `Authorization` header of a catalogue that issues fixed tokens from the text of a secret:
 * `{"authorization": "Token …"}`.
 *
 * @throws {IdentityError} `SECRET_WRONG`
 * @throws {AccessError} when HTTP cannot carry the value. Neither quotes anything of the secret.
 */
export function readHeader(text: string, action: string): Access {
  return fixedHeader('authorization', readKeys(text, schema, action).authorization);
}

/** Sends the header of a secret with every request. After a 401 the secret is read again, once for each value. */
function headerAccess(secret: Secret<Access>): Access {
  return {
    headers: async () => (await secret.get()).headers(),
    renew: async () => secret.reread(await secret.get()),
  };
}
