import { createHash, X509Certificate } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import { controlRoutes, type ServeOptions, serve, withBody } from '../http.ts';
import {
  createDirectory,
  type Directory,
  tenants as defaultTenants,
  type Tenant,
  type TenantName,
} from './accounts.ts';
import { type BasicReading, errorResponse, OAuthError, type SecretInBody } from './client-authentication.ts';
import {
  createAuthorisation,
  createSigningKeys,
  createTokenEndpoint,
  type SigningKey,
  type SigningKeys,
} from './oauth-endpoints.ts';

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
  readonly lifetime?: number | undefined;
  readonly tenants?: Readonly<Record<TenantName, Tenant>>;
  /** How the Basic header is read; `both` by default. */
  readonly basic?: BasicReading | undefined;
  /** Whether client id and secret are accepted in the body of a token request; `refused` by default. */
  readonly secretInBody?: SecretInBody | undefined;
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
function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
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

/** An identity provider that is served. */
export interface StartedIdentityProvider extends IdentityProvider {
  close(): Promise<void>;
}

export interface StartOptions extends Omit<IdentityProviderOptions, 'authUrl'>, ServeOptions {}

/**
 * Starts an identity provider on 127.0.0.1.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startIdentityProvider(options: StartOptions): Promise<StartedIdentityProvider> {
  let provider: IdentityProvider | undefined;
  const { close } = await serve((authUrl) => {
    provider = createIdentityProvider({ ...options, authUrl });
    return provider.fetch;
  }, options);
  if (!provider) throw new Error('the identity provider was not created');
  return { ...provider, close };
}

const lifetimeBody = z.strictObject({ seconds: z.number().min(0).max(86_400) });
const secretBody = z.strictObject({ client_id: z.string().min(1), client_secret: z.string().min(1) });
const certificateBody = z.strictObject({
  client_id: z.string().min(1),
  certificate: z.string().refine(isCertificate, 'not a certificate in PEM'),
});

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/** What can be changed of an identity provider while it runs. */
interface ChangeableProvider {
  readonly directory: Directory;
  readonly keys: SigningKeys;
  /** Seconds, for tokens issued from now on. */
  setLifetime(seconds: number): void;
  /** Revokes all tokens issued so far. */
  revokeTokens(): void;
}

/** The HTTP interface under `/sandbox/` that changes the identity provider. */
const providerControl = ({ directory, keys, setLifetime, revokeTokens }: ChangeableProvider): Hono =>
  controlRoutes({
    'GET /sandbox/accounts': {
      says: 'lists tenants, clients with their credentials, and users; all made up',
      answer: () => directory.tenants,
    },
    'POST /sandbox/lifetime': withBody(
      'sets the lifetime of tokens issued from now on: {"seconds": 5}',
      lifetimeBody,
      ({ seconds }) => {
        setLifetime(seconds);
        return { seconds };
      },
    ),
    'POST /sandbox/revoke': {
      says: 'revokes all tokens issued so far',
      answer: () => {
        revokeTokens();
        return { revoked: true };
      },
    },
    'POST /sandbox/secrets': withBody(
      'replaces a client secret: {"client_id": "…", "client_secret": "…"}',
      secretBody,
      ({ client_id: rotated, client_secret: secret }) => {
        directory.rotateSecret(rotated, secret);
        return { rotated };
      },
    ),
    'POST /sandbox/certificates': withBody(
      'adds a client certificate: {"client_id": "…", "certificate": "-----BEGIN …"}',
      certificateBody,
      ({ client_id: registered, certificate }) => {
        directory.register(registered, certificate);
        return { registered };
      },
    ),
    'POST /sandbox/keys': {
      says: 'signs with a new key from now on',
      answer: () => {
        keys.rotate();
        return { rotated: true };
      },
    },
  });
