import type { JsonWebKey } from 'node:crypto';
import * as z from 'zod';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { expectSuccess } from '../../lambdas/catalogue/http/expect-success.ts';
import { createHttp } from '../../lambdas/catalogue/http/http.ts';
import { readJson } from '../../lambdas/catalogue/http/json.ts';
import type { HttpResponse } from '../../lambdas/catalogue/http/response.ts';
import { readDiscovery } from '../../lambdas/catalogue/identity/discovery.ts';
import { IdentityProviderError, identityProviderErrors } from '../../lambdas/catalogue/identity/errors.ts';
import { tenantAddresses } from '../../lambdas/catalogue/identity/tenant-addresses.ts';
import type { IdentityProviderSettings } from '../../lambdas/catalogue/identity/token-exchange.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { ClockDifferences } from './clock-differences.ts';

/** A public key that the provider publishes. */
export interface SigningKey {
  readonly id: string | null;
  readonly jwk: JsonWebKey;
}

const keysSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })),
});

interface KeysContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly clockDifferences: ClockDifferences;
}

/**
 * Reads the issuer of a tenant from its discovery document, and the public keys that the document leads to. Source:
 * docs/interfaces.md, "The identity provider".
 *
 * @throws {IdentityProviderError} when they cannot be read, or the keys are said to be at another origin
 */
export async function readPublishedKeys(
  { authUrl, tenantId }: IdentityProviderSettings,
  { clock, log, clockDifferences }: KeysContext,
): Promise<{ readonly issuer: string; readonly keys: readonly SigningKey[] }> {
  const { base, discovery } = tenantAddresses(authUrl, tenantId);
  const http = createHttp({
    base: new URL('/', base),
    errors: identityProviderErrors,
    access: anonymous,
    clock,
    log,
  });
  const get = <Result>(url: string, read: (response: HttpResponse) => Result): Promise<Result> =>
    http.send({ path: url.slice(base.origin.length + 1) }, (response) => {
      const { serverTime } = response;
      if (serverTime !== null) clockDifferences.set('the identity provider', clock.now() - serverTime);
      return read(response);
    });
  try {
    const { issuer, jwks_uri: keysUrl } = await get(discovery, readDiscovery);
    if (!keysUrl.startsWith(`${base.origin}/`)) {
      throw new IdentityProviderError({
        condition: 'ADDRESS_WRONG',
        action: `Reading ${discovery}`,
        seen: 'it names keys at another origin, which is never asked',
      });
    }
    return { issuer, keys: await get(keysUrl, readKeys) };
  } finally {
    await http.close();
  }
}

function readKeys(response: HttpResponse): readonly SigningKey[] {
  expectSuccess(response);
  const read = keysSchema.safeParse(readJson(response));
  if (!read.success) throw response.fail('REQUEST_REFUSED', 'the document of keys lacks "keys"');
  return read.data.keys.map(({ kid, ...jwk }) => ({ id: kid ?? null, jwk }));
}
