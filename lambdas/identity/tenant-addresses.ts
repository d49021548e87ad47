import { serviceUrl } from '../http/address.ts';
import { isLoopback } from '../http/loopback.ts';
import { IdentityProviderError, identityProviderErrors } from './errors.ts';

/** Addresses of one tenant of the identity provider (interface specification, "Identity provider"). */
export interface TenantAddresses {
  /** Ends in a slash. */
  readonly base: URL;
  readonly token: string;
  readonly discovery: string;
}

/**
 * Builds them from `{auth_url}` and `<tenant_id>`. Fails with an `IdentityProviderError` (`…_ADDRESS_WRONG`) for
 * what is no address, and for http to another machine: the credential would travel in the clear.
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
    throw wrong(`${base.href} is http, which is for this machine only; https was wanted`);
  }
  if (!/^[\w.-]*\w[\w.-]*$/.test(tenantId))
    throw wrong(`the tenant ${JSON.stringify(tenantId)} is no part of a path`);
  const tenant = new URL(`./${tenantId}`, base).href;
  return { base, token: `${tenant}/oauth2/token`, discovery: `${tenant}/.well-known/openid-configuration` };
}
