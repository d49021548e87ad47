import * as z from 'zod';
import { serviceUrl } from '../http/address.ts';
import { readJson } from '../http/json.ts';
import { isLoopback } from '../http/loopback.ts';
import { expectSuccess } from '../http/page.ts';
import type { HttpResponse } from '../http/response.ts';
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
