import type { JsonWebKey } from 'node:crypto';
import * as z from 'zod';
import { anonymous } from '../../lambdas/http/access.ts';
import type { Answer } from '../../lambdas/http/answer.ts';
import { expectSuccess } from '../../lambdas/http/expect-success.ts';
import { createHttp } from '../../lambdas/http/http.ts';
import { readJson } from '../../lambdas/http/json.ts';
import { IdentityProviderError, identityProviderErrors } from '../../lambdas/identity/errors.ts';
import { tenantAddresses } from '../../lambdas/identity/tenant-addresses.ts';
import type { IdentityProviderSettings } from '../../lambdas/identity/token-exchange.ts';
import type { IdentityToCheck } from './check-identity.ts';

/** A public key as the provider publishes it. */
export interface SigningKey {
  readonly id: string | null;
  readonly jwk: JsonWebKey;
}

const discoverySchema = z.looseObject({
  issuer: z.string(),
  jwks_uri: z.string(),
  token_endpoint: z.string(),
});
const keysSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })),
});

/**
 * The issuer of a tenant and its public keys, by the discovery document (interface specification, "Identity
 * provider"). Fails with an `IdentityProviderError`, also where the document leads to another origin.
 */
export async function discover(
  { authUrl, tenantId }: IdentityProviderSettings,
  { clock, log, heard }: Pick<IdentityToCheck, 'clock' | 'log' | 'heard'>,
): Promise<{ readonly issuer: string; readonly keys: readonly SigningKey[] }> {
  const addresses = tenantAddresses(authUrl, tenantId);
  const { base } = addresses;
  const http = createHttp({
    base: new URL('/', base),
    errors: identityProviderErrors,
    access: anonymous,
    clock,
    log,
  });
  const read =
    <Schema extends z.ZodType>(schema: Schema) =>
    (answer: Answer): z.output<Schema> => {
      if (answer.serverTime !== null)
        heard.skews.set('the identity provider', clock.now() - answer.serverTime);
      expectSuccess(answer);
      const found = schema.safeParse(readJson(answer));
      if (found.success) return found.data;
      throw answer.fail('REQUEST_REFUSED', 'the answer lacks what such a document has');
    };
  const get = <Schema extends z.ZodType>(url: string, schema: Schema): Promise<z.output<Schema>> =>
    http.send({ path: url.slice(base.origin.length + 1) }, read(schema));
  try {
    const document = await get(addresses.discovery, discoverySchema);
    const keysUrl = document.jwks_uri;
    if (!keysUrl.startsWith(`${base.origin}/`)) {
      throw new IdentityProviderError({
        condition: 'ADDRESS_WRONG',
        action: `Reading ${addresses.discovery}`,
        seen: 'it names keys at another origin, which are not asked for',
      });
    }
    const { keys } = await get(keysUrl, keysSchema);
    return { issuer: document.issuer, keys: keys.map(({ kid, ...jwk }) => ({ id: kid ?? null, jwk })) };
  } finally {
    await http.close();
  }
}
