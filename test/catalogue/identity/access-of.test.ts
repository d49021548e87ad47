import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../../../lambdas/catalogue/client.ts';
import { type AccessSettings, accessOf } from '../../../lambdas/catalogue/identity/access-of.ts';
import { serve } from '../../../sandbox/http.ts';
import { bearerAuthorisation, createApplicationCheck } from '../../../sandbox/interpretation/application.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';
import { startSecretsManager } from '../../sandbox/identity/secrets-manager.ts';
import { CANARY, watchedLog } from './canaries.ts';
import { canaryClient, closeLater, failureOf, startProvider, tenantId } from './token-harness.ts';

/** Access as the functions use it, from settings to the catalogue's response. */

interface Door {
  /** The answer that refuses a request, if any. */
  refuse(request: Request): Response | undefined | Promise<Response | undefined>;
}

async function startCatalogue({ refuse }: Door) {
  const authorizations: (string | null)[] = [];
  const { url, close } = await serve(() => async (request) => {
    authorizations.push(request.headers.get('authorization'));
    const page = { count: 1, next: null, previous: null, results: [{}] };
    return (await refuse(request)) ?? Response.json(page);
  });
  closeLater(close);
  return { url, authorizations };
}

interface Opening {
  readonly settings: AccessSettings;
  readonly url: string;
  readonly clock: TestClock;
  readonly store?: { text: string; reads: number };
}

function open({ settings, url, clock, store = { text: '', reads: 0 } }: Opening) {
  const watched = watchedLog();
  const access = accessOf(settings, {
    clock,
    log: watched.log,
    source: (secretId) => ({
      name: `the secret ${secretId}`,
      read: async () => {
        store.reads += 1;
        return store.text;
      },
    }),
  });
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log: watched.log });
  closeLater(access.close);
  closeLater(catalogue.close);
  return { access, catalogue, watched };
}

describe('no access', () => {
  test('sends no credential and reads no secret', async () => {
    const { url, authorizations } = await startCatalogue({ refuse: () => undefined });
    const store = { text: CANARY, reads: 0 };
    const { access, catalogue } = open({
      settings: { ACCESS: 'none' },
      url,
      clock: createTestClock(),
      store,
    });
    await catalogue.activities(1);
    expect([authorizations, store.reads, access.tokenRequests()]).toEqual([[null], 0, 0]);
  });

  test('fails at a 401', async () => {
    const { url, authorizations } = await startCatalogue({
      refuse: () => new Response(null, { status: 401 }),
    });
    const { catalogue } = open({ settings: { ACCESS: 'none' }, url, clock: createTestClock() });
    expect((await failureOf(catalogue.activities(1))).code).toBe('CATALOGUE_UNAUTHORIZED');
    expect(authorizations).toHaveLength(1);
  });
});

describe('a fixed header', () => {
  const settings = { ACCESS: 'header', SECRET_ID: 'arn:header' } as const;
  const wants = (value: string): Door => ({
    refuse: ({ headers }) =>
      headers.get('authorization') === value ? undefined : new Response(null, { status: 401 }),
  });
  const secretOf = (authorization: string) => JSON.stringify({ authorization });

  test('is sent with every request, and its secret is read once', async () => {
    const { url } = await startCatalogue(wants(`Token ${CANARY}`));
    const store = { text: secretOf(`Token ${CANARY}`), reads: 0 };
    const { catalogue, access, watched } = open({ settings, url, clock: createTestClock(), store });
    await catalogue.activities(1);
    await catalogue.activities(1);
    expect([store.reads, access.tokenRequests()]).toEqual([1, 0]);
    watched.expectSilence();
  });

  test('that was changed is read again after a 401', async () => {
    let right = `Token ${CANARY} one`;
    const { url } = await startCatalogue({ refuse: (request) => wants(right).refuse(request) });
    const store = { text: secretOf(right), reads: 0 };
    const { catalogue } = open({ settings, url, clock: createTestClock(), store });
    await catalogue.activities(1);
    right = `Token ${CANARY} two`;
    store.text = secretOf(right);
    await catalogue.activities(1);
    expect(store.reads).toBe(2);
  });

  test('that is refused and unchanged is not sent again', async () => {
    const { url, authorizations } = await startCatalogue(wants('another'));
    const store = { text: secretOf(`Token ${CANARY}`), reads: 0 };
    const { catalogue, watched } = open({ settings, url, clock: createTestClock(), store });
    const error = await failureOf(catalogue.activities(1));
    expect([error.code, authorizations.length, store.reads]).toEqual(['CATALOGUE_UNAUTHORIZED', 1, 2]);
    watched.expectSilence(error);
  });

  test('whose secret is invalid fails before any request', async () => {
    const { url, authorizations } = await startCatalogue(wants('another'));
    const store = { text: `Token ${CANARY}`, reads: 0 };
    const { catalogue, watched } = open({ settings, url, clock: createTestClock(), store });
    const error = await failureOf(catalogue.activities(1));
    expect([error.code, authorizations]).toEqual(['SECRET_WRONG', []]);
    watched.expectSilence(error);
  });
});

describe('client credentials', () => {
  async function start() {
    const clock = createTestClock();
    const provider = await startProvider({ clock });
    const catalogue = await startCatalogue({
      refuse: bearerAuthorisation(createApplicationCheck('catalogue', { provider, clock })),
    });
    const settings: AccessSettings = {
      ACCESS: 'client-credentials',
      SECRET_ID: 'arn:client',
      AUTH_URL: provider.authUrl,
      TENANT_ID: tenantId,
    };
    const secret = { client_id: canaryClient.clientId, client_secret: canaryClient.secrets[0] };
    const store = { text: JSON.stringify(secret), reads: 0 };
    return {
      clock,
      provider,
      store,
      ...open({ settings, url: catalogue.url, clock, store }),
      ...catalogue,
    };
  }

  test('give one token for many requests', async () => {
    const { catalogue, access, provider, watched } = await start();
    for (let page = 0; page < 5; page += 1) await catalogue.activities(1);
    expect([access.tokenRequests(), provider.calls.length]).toEqual([1, 1]);
    watched.expectSilence();
  });

  test('give one token for each lifetime, and one more for each revocation', async () => {
    const { catalogue, provider, clock, store, watched } = await start();
    provider.setLifetime(5);
    let revocations = 0;
    // Two minutes with a request a second, and the tokens revoked now and then.
    for (let second = 0; second < 120; second += 1) {
      if (second % 37 === 36) {
        provider.revokeTokens();
        revocations += 1;
      }
      await catalogue.activities(1);
      clock.pass(1000);
    }
    expect(revocations).toBe(3);
    // A token is renewed half a second before its end: with a request a second, every fifth second.
    expect(provider.calls.length).toBeLessThanOrEqual(120 / 5 + revocations);
    expect(provider.calls.every(({ status }) => status === 200)).toBe(true);
    expect(store.reads).toBe(1);
    watched.expectSilence();
  });

  test('fail after one renewal where every token is refused', async () => {
    const { catalogue, provider, authorizations, watched } = await start();
    provider.setLifetime(-10);
    const error = await failureOf(catalogue.activities(1));
    expect([error.code, provider.calls.length, authorizations.length]).toEqual([
      'CATALOGUE_UNAUTHORIZED',
      2,
      2,
    ]);
    watched.expectSilence(error);
  });

  test('fail at a 403 without a renewal', async () => {
    const clock = createTestClock();
    const provider = await startProvider({ clock });
    const { url } = await startCatalogue({ refuse: () => new Response(null, { status: 403 }) });
    const settings = {
      ACCESS: 'client-credentials',
      SECRET_ID: 'x',
      AUTH_URL: provider.authUrl,
      TENANT_ID: tenantId,
    } as const;
    const text = JSON.stringify({ client_id: canaryClient.clientId, client_secret: canaryClient.secrets[0] });
    const { catalogue } = open({ settings, url, clock, store: { text, reads: 0 } });
    expect((await failureOf(catalogue.activities(1))).code).toBe('CATALOGUE_FORBIDDEN');
    expect(provider.calls).toHaveLength(1);
  });

  test('pass on the error of the identity provider, and send the catalogue nothing', async () => {
    const { catalogue, provider, authorizations, watched } = await start();
    provider.directory.rotateSecret(canaryClient.clientId, 'another');
    const error = await failureOf(catalogue.activities(1));
    expect([error.code, authorizations]).toEqual(['CREDENTIAL_REFUSED', []]);
    watched.expectSilence(error);
  });
});

test('a secret in Secrets Manager is read with the credentials of the environment', async () => {
  const manager = await startSecretsManager();
  closeLater(manager.close);
  const environment = {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.url,
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: CANARY,
  };
  Object.assign(process.env, environment);
  closeLater(async () => {
    for (const name of Object.keys(environment)) delete process.env[name];
  });
  manager.secrets.set('arn:header', JSON.stringify({ authorization: `Token ${CANARY}` }));
  const watched = watchedLog();
  const access = accessOf(
    { ACCESS: 'header', SECRET_ID: 'arn:header' },
    { clock: createTestClock(), log: watched.log },
  );
  expect(manager.asked).toEqual([]);
  expect(await access.headers()).toEqual({ authorization: `Token ${CANARY}` });
  expect(manager.asked).toEqual(['arn:header']);
  watched.expectSilence();
});
