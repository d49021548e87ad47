import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { Clock } from '../../lambdas/run/clock.ts';
import { tenants as defaultTenants } from './accounts.ts';
import { createAuthorisation } from './authorise-endpoint.ts';
import type { BasicReading, SecretInBody } from './client-authentication.ts';
import { errorResponse, OAuthError } from './oauth-error.ts';
import { type ChangeableProvider, providerControl } from './provider-control.ts';
import { createSigningKeys, type SigningKey } from './signing-keys.ts';
import { createDirectory, type Tenant, type TenantName } from './tenants.ts';
import { createTokenEndpoint } from './token-endpoint.ts';

/** One request to the token endpoint and the status of its response. */
export interface TokenCall {
  readonly tenantId: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
  readonly status: number;
}

export interface IdentityProviderOptions {
  /** Its address. */
  readonly authUrl: string;
  readonly clock: Clock;
  /** Lifetime of tokens in seconds; 3600 by default. */
  readonly lifetime?: number;
  readonly tenants?: Readonly<Record<TenantName, Tenant>>;
  /** How the Basic header is read; `both` by default. */
  readonly basic?: BasicReading;
  /** Whether client id and secret are accepted in the body of a token request; `refused` by default. */
  readonly secretInBody?: SecretInBody;
  /** The first signing key; created when it is needed where absent. */
  readonly key?: Promise<SigningKey>;
  /** Called for each token request; a response that it gives replaces the real one. */
  readonly fault?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Whether `calls` is filled; true by default. Set it to false for a provider that runs for days. */
  readonly keep?: boolean;
}

/** An identity provider that can be changed while it runs. */
export interface IdentityProvider extends ChangeableProvider {
  readonly authUrl: string;
  fetch(request: Request): Response | Promise<Response>;
  /** The token requests so far, oldest first. */
  readonly calls: readonly TokenCall[];
  /** The issuer of a tenant's tokens. */
  issuer(tenantId: string): string;
  /** Whether a token with these claims was revoked. Applications ask this beside checking the signature. */
  isRevoked(claims: Readonly<Record<string, unknown>>): boolean;
}

/** Creates an identity provider that answers requests in this process. Source: docs/interfaces.md, "The identity provider". */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { clock, basic = 'both', secretInBody = 'refused', fault, keep = true } = options;
  const authUrl = options.authUrl.replace(/\/+$/, '');
  const directory = createDirectory(options.tenants ?? defaultTenants);
  const keys = createSigningKeys(options.key);
  const calls: TokenCall[] = [];
  const revoked = new Set<unknown>();
  const valid = new Set<string>();
  let lifetime = options.lifetime ?? 3600;

  const opaque = (): string =>
    createHash('sha256').update(`${clock.random()} ${clock.random()}`).digest('base64url').slice(0, 22);
  const issuer = (tenantId: string): string => `${authUrl}/${tenantId}`;
  const shared = { directory, keys, clock, basic, secretInBody, opaque, issuer, lifetime: () => lifetime };
  const authorisation = createAuthorisation(shared);
  const token = createTokenEndpoint({ ...shared, authorisation, issued: (id) => valid.add(id) });

  const routes = new Hono().basePath(new URL(authUrl).pathname);
  routes.post('/:tenant/oauth2/token', async ({ req }) => {
    const request = req.raw;
    const tenantId = req.param('tenant');
    const call = {
      tenantId,
      method: request.method,
      headers: request.headers,
      body: await request.clone().text(),
    };
    const response = (await fault?.(request.clone())) ?? (await guarded(() => token(request, tenantId)));
    if (keep) calls.push({ ...call, status: response.status });
    return response;
  });
  routes.on(['GET', 'POST'], '/:tenant/oauth2/authorize', ({ req }) =>
    authorisation.respond(req.raw, req.param('tenant')),
  );
  routes.get('/:tenant/.well-known/openid-configuration', ({ req }) =>
    guarded(async () => {
      const tenant = directory.tenant(req.param('tenant'));
      if (!tenant) throw new OAuthError('invalid_tenant', 90002, 'There is no such tenant');
      return Response.json(discoveryDocument(authUrl, issuer(tenant.id), { tenant, secretInBody }));
    }),
  );
  routes.get('/common/discovery/keys', async () => Response.json(await keys.published()));

  const guarded = async (respond: () => Promise<Response>): Promise<Response> => {
    try {
      return await respond();
    } catch (error) {
      if (error instanceof OAuthError) return errorResponse(error, clock.now());
      throw error;
    }
  };

  const provider: IdentityProvider = {
    authUrl,
    directory,
    keys,
    calls,
    issuer,
    fetch: routes.fetch,
    setLifetime: (seconds) => {
      lifetime = seconds;
    },
    revokeTokens: () => {
      for (const id of valid) revoked.add(id);
      valid.clear();
    },
    isRevoked: ({ uti }) => revoked.has(uti),
  };
  routes.route('/', providerControl(provider));
  return provider;
}

/** The discovery document of a tenant. */
function discoveryDocument(
  authUrl: string,
  issuer: string,
  { tenant, secretInBody }: { readonly tenant: Tenant; readonly secretInBody: SecretInBody },
): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${authUrl}/common/discovery/keys`,
    grant_types_supported: ['client_credentials', 'authorization_code'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      ...(secretInBody === 'accepted' ? ['client_secret_post'] : []),
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: tenant.assertionAlgorithms,
    tenant_region_scope: tenant.region,
  };
}
