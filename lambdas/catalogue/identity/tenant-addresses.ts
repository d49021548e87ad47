import { serviceUrl } from '../http/address.ts';
import { isLoopback } from '../http/loopback.ts';
import { IdentityProviderError, identityProviderErrors } from './errors.ts';

/** The addresses of one tenant of the identity provider. Source: docs/interfaces.md, "The identity provider". */
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
