import * as z from 'zod';
import { expectSuccess } from '../http/expect-success.ts';
import { readJson } from '../http/json.ts';
import type { HttpResponse } from '../http/response.ts';

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
