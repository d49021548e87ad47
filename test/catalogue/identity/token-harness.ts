import { onTestFinished } from 'vitest';
import type { Limits } from '../../../lambdas/catalogue/http/access.ts';
import { type Credential, readCredential } from '../../../lambdas/catalogue/identity/credential.ts';
import { createSecret } from '../../../lambdas/catalogue/identity/secret.ts';
import {
  createTokenExchange,
  type IdentityProviderSettings,
} from '../../../lambdas/catalogue/identity/token-exchange.ts';
import { createTokenSource, type TokenSource } from '../../../lambdas/catalogue/identity/token-source.ts';
import { type Client, tenants } from '../../../sandbox/identity/accounts.ts';
import {
  type IdentityProviderOptions,
  type StartedIdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity/identity-provider.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';
import { CANARY, watchedLog } from './canaries.ts';
import { signingKey } from './signing-key.ts';

/** To be closed when the test ends. */
export function closeLater(close: () => Promise<void>): void {
  onTestFinished(close);
}

/** The client of these tests; its secret is a canary with every character that is hard to send. */
export const canaryClient: Client = {
  name: 'Canary',
  clientId: '51b28fa7-4d6e-4a21-a9c3-af50c18d7e50',
  objectId: '9d5061b2-7fc8-4e4f-82a5-df40a16cbe51',
  secrets: [`a:${CANARY}:+/%?é&= ~`],
  certificates: [],
  onboarded: true,
  redirectUris: ['http://localhost:8080/signed-in'],
};

const key = signingKey();

export const tenantId = tenants['non-production'].id;

interface ProviderChanges {
  readonly client?: Client;
  readonly assertionAlgorithms?: readonly string[];
}

/** The sandbox's provider with the canary client in its non-production tenant. */
export async function startProvider(
  options: Partial<IdentityProviderOptions> & ProviderChanges & { readonly clock: TestClock },
): Promise<StartedIdentityProvider> {
  const { client = canaryClient, assertionAlgorithms, ...rest } = { key, ...options };
  const clients = [...tenants['non-production'].clients, client];
  const provider = await startIdentityProvider({
    tenants: {
      ...tenants,
      'non-production': {
        ...tenants['non-production'],
        clients,
        ...(assertionAlgorithms && { assertionAlgorithms }),
      },
    },
    ...rest,
  });
  closeLater(provider.close);
  return provider;
}

interface TokenHarness {
  readonly clock: TestClock;
  readonly provider: StartedIdentityProvider;
  readonly tokens: TokenSource;
  readonly watched: ReturnType<typeof watchedLog>;
  /** What the secret's store holds; how often it was read; and whether it can be asked. */
  readonly store: { text: string; reads: number; down: boolean };
}

export interface TokenHarnessOptions
  extends Partial<Omit<IdentityProviderOptions, 'clock'>>,
    ProviderChanges {
  readonly secret?: object;
  readonly settings?: Partial<IdentityProviderSettings>;
  readonly limits?: Partial<Limits>;
}

/** A token source against the sandbox's identity provider, on a clock that stands still. */
export async function createTokenHarness(options: TokenHarnessOptions = {}): Promise<TokenHarness> {
  const { client = canaryClient, secret, settings, limits, ...providerOptions } = options;
  const clock = createTestClock();
  const provider = await startProvider({ clock, client, ...providerOptions });
  const watched = watchedLog();
  const credential = secret ?? { client_id: client.clientId, client_secret: client.secrets[0] };
  const store = { text: JSON.stringify(credential), reads: 0, down: false };
  const { log } = watched;
  const exchange = createTokenExchange({
    settings: { authUrl: provider.authUrl, tenantId, basic: 'raw', ...settings },
    clock,
    log,
    limits,
  });
  closeLater(exchange.close);
  const source = {
    name: 'the secret arn:test',
    read: async () => {
      store.reads += 1;
      if (store.down) throw new Error('the store is down');
      return store.text;
    },
  };
  const kept = createSecret<Credential>({ source, parse: readCredential, log });
  return {
    clock,
    provider,
    watched,
    store,
    tokens: createTokenSource({ exchange, secret: kept, clock, log }),
  };
}

/** What a promise fails with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  return promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: Error) => error,
  );
}
