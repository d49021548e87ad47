import { createPublicKey, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, jwtVerify } from 'jose';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readCredential } from '../../../lambdas/catalogue/identity/credential.ts';
import { createSecret } from '../../../lambdas/catalogue/identity/secret.ts';
import { createTokenExchange } from '../../../lambdas/catalogue/identity/token-exchange.ts';
import { createTokenSource, type TokenSource } from '../../../lambdas/catalogue/identity/token-source.ts';
import { systemClock } from '../../../lambdas/run/clock.ts';
import { selfSigned } from '../../sandbox/identity/self-signed.ts';
import { CANARY, watchedLog } from './canaries.ts';
import { closeLater, failureOf } from './token-harness.ts';

/** The project's client against an independent provider, at the documented addresses. */

beforeEach(() => {
  // It warns that keys and memory are those of a quick start, which is what they are.
  for (const level of ['warn', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const tenantId = 'tenant';
const resource = 'https://interpretation.example';
const clientId = 'a client: +%';

interface Independent {
  readonly authUrl: string;
  readonly issuer: string;
  readonly watched: ReturnType<typeof watchedLog>;
  tokens(secret: object, scope?: string): TokenSource;
}

async function start(client: ClientMetadata): Promise<Independent> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const authUrl = `http://127.0.0.1:${port}`;
  const issuer = `${authUrl}/${tenantId}`;
  const configuration: Configuration = {
    clients: [{ grant_types: ['client_credentials'], redirect_uris: [], response_types: [], ...client }],
    clientAuthMethods: ['client_secret_basic', 'private_key_jwt'],
    routes: { token: `/${tenantId}/oauth2/token`, jwks: '/common/discovery/keys' },
    scopes: ['read'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        getResourceServerInfo: async () => ({ scope: 'read', audience: resource, accessTokenFormat: 'jwt' }),
      },
    },
  };
  server.on('request', new Provider(issuer, configuration).callback());
  const watched = watchedLog();
  return {
    authUrl,
    issuer,
    watched,
    tokens: (secret, scope) => {
      const { log } = watched;
      const clock = systemClock;
      const exchange = createTokenExchange({ settings: { authUrl, tenantId, resource, scope }, clock, log });
      closeLater(exchange.close);
      const source = { name: 'the secret', read: async () => JSON.stringify(secret) };
      return createTokenSource({
        exchange,
        secret: createSecret({ source, parse: readCredential, log }),
        clock,
        log,
      });
    },
  };
}

const verified = async ({ authUrl, issuer }: Independent, token: string) => {
  const keys = createRemoteJWKSet(new URL(`${authUrl}/common/discovery/keys`));
  return (await jwtVerify(token, keys, { issuer, audience: resource })).payload;
};

describe('against oidc-provider', () => {
  test.each(['plain', `a:${CANARY}:+/%25?&= ~`, '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'])(
    'a token is issued by Basic with the secret %j',
    async (clientSecret) => {
      const provider = await start({ client_id: clientId, client_secret: clientSecret });
      const tokens = provider.tokens({ client_id: clientId, client_secret: clientSecret }, 'read');
      expect(await verified(provider, await tokens.token())).toMatchObject({
        client_id: clientId,
        scope: 'read',
      });
      // The id holds a colon, so the provider accepts the second form of the Basic header only. It is remembered.
      expect(tokens.requests()).toBe(2);
      await tokens.renew();
      expect(tokens.requests()).toBe(3);
      provider.watched.expectSilence();
    },
  );

  test('a wrong secret is refused', async () => {
    const provider = await start({ client_id: clientId, client_secret: 'right' });
    const error = await failureOf(provider.tokens({ client_id: clientId, client_secret: CANARY }).token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    provider.watched.expectSilence(error);
  });

  test.each(['PS256', 'RS256'] as const)('a token is issued by certificate, %s', async (algorithm) => {
    const now = systemClock.now();
    const own = selfSigned({ name: 'client', from: now - 60_000, until: now + 60_000 });
    const key = await exportJWK(
      createPublicKey(new X509Certificate(own.certificate).publicKey.export({ format: 'pem', type: 'spki' })),
    );
    const provider = await start({
      client_id: clientId,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: algorithm,
      jwks: { keys: [key] },
    } as ClientMetadata);
    const { privateKey: private_key, certificate } = own;
    const tokens = provider.tokens({ client_id: clientId, private_key, certificate, algorithm });
    expect(await verified(provider, await tokens.token())).toMatchObject({ client_id: clientId });
    // An assertion is valid once; the second token needs another.
    await tokens.renew();
    expect(tokens.requests()).toBe(2);
  });
});
