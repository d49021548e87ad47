import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { bearerAccess } from '../../../lambdas/catalogue/identity/token-source.ts';
import { CANARY } from './canaries.ts';
import { canaryClient, createTokenHarness, failureOf } from './token-harness.ts';

const down = () => new Response('', { status: 503 });

describe('a token source', () => {
  test('sends one request for any number of simultaneous callers', async () => {
    const { tokens, provider, store } = await createTokenHarness();
    const all = await Promise.all(Array.from({ length: 50 }, () => tokens.token()));
    expect(new Set(all).size).toBe(1);
    expect(provider.calls).toHaveLength(1);
    expect(store.reads).toBe(1);
    expect(decodeJwt(all[0] ?? '')).toMatchObject({ appid: canaryClient.clientId, ver: '1.0' });
  });

  test.each([
    { lifetime: 3600, keptFor: 3300 },
    { lifetime: 5, keptFor: 4.5 },
    { lifetime: 86_400 * 365, keptFor: 86_400 - 300 },
  ])('keeps a token of $lifetime s for $keptFor s, then requests another', async ({ lifetime, keptFor }) => {
    const { tokens, provider, clock } = await createTokenHarness({ lifetime });
    const first = await tokens.token();
    clock.pass(keptFor * 1000 - 1);
    expect(await tokens.token()).toBe(first);
    expect(provider.calls).toHaveLength(1);
    clock.pass(1);
    const second = await tokens.token();
    expect(second).not.toBe(first);
    expect(await tokens.token()).toBe(second);
    expect(provider.calls).toHaveLength(2);
    expect(tokens.requests()).toBe(2);
  });

  test('uses a token that is still valid where its renewal fails, and tries again 30 seconds later', async () => {
    let fault: (() => Response) | undefined;
    const { tokens, provider, clock, watched } = await createTokenHarness({ fault: () => fault?.() });
    const first = await tokens.token();
    fault = down;
    clock.pass(3300 * 1000);
    expect(await tokens.token()).toBe(first);
    expect(await tokens.token()).toBe(first);
    expect(provider.calls).toHaveLength(2);
    expect(watched.lines.join()).toContain('The token cannot be renewed; the current one is still valid');
    clock.pass(30_000);
    expect(await tokens.token()).toBe(first);
    expect(provider.calls).toHaveLength(3);
    fault = undefined;
    clock.pass(30_000);
    expect(await tokens.token()).not.toBe(first);
    watched.expectSilence();
  });

  test('does not use a token that expires while its renewal fails', async () => {
    let fault: (() => Response) | undefined;
    const { tokens, clock } = await createTokenHarness({ fault: () => fault?.() });
    await tokens.token();
    clock.pass(3590 * 1000);
    fault = () => {
      clock.pass(10_000);
      return down();
    };
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  });

  test('logs that a token was issued and when it expires, and not the token', async () => {
    const { tokens, watched, provider } = await createTokenHarness();
    const token = await tokens.token();
    expect(watched.lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        message: 'A token was issued',
        endpoint: expect.stringContaining(provider.authUrl),
        expires: '2026-11-20T13:00:00.000Z',
      },
    ]);
    expect(watched.lines.join()).not.toContain(token);
  });

  test('fails after the retries where the token has expired', async () => {
    let fault: (() => Response) | undefined;
    const { tokens, provider, clock, watched } = await createTokenHarness({ fault: () => fault?.() });
    await tokens.token();
    fault = down;
    clock.pass(3600 * 1000);
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(provider.calls).toHaveLength(1 + 3);
    expect(clock.sleeps).toHaveLength(2);
    watched.expectSilence(error);
  });

  test('requests one new token when an API has refused the current one, for all callers', async () => {
    const { tokens, provider } = await createTokenHarness();
    const refused = await tokens.token();
    await Promise.all(Array.from({ length: 10 }, () => tokens.renew(refused)));
    expect(provider.calls).toHaveLength(2);
    const fresh = await tokens.token();
    expect(fresh).not.toBe(refused);
    // A late caller that was refused with the old token finds the new one.
    await tokens.renew(refused);
    expect(await tokens.token()).toBe(fresh);
    expect(provider.calls).toHaveLength(2);
  });

  test('retries a transient error of the provider after an API has refused the token', async () => {
    let faults = 0;
    const { tokens, provider } = await createTokenHarness({
      fault: () => (faults-- > 0 ? down() : undefined),
    });
    const refused = await tokens.token();
    faults = 1;
    await tokens.renew(refused);
    expect(provider.calls.map(({ status }) => status)).toEqual([200, 503, 200]);
  });

  test('recognises the refused token by the headers that were sent', async () => {
    const { tokens, provider } = await createTokenHarness();
    const access = bearerAccess(tokens);
    const refused = await access.headers();
    expect(await access.renew(refused)).toBe(true);
    expect(await access.renew(refused)).toBe(true);
    expect(provider.calls).toHaveLength(2);
    expect(await access.renew({})).toBe(true);
    expect(provider.calls).toHaveLength(3);
  });

  test('replaces its token where the refused one is not named', async () => {
    const { tokens, provider } = await createTokenHarness();
    const refused = await tokens.token();
    await tokens.renew();
    expect(await tokens.token()).not.toBe(refused);
    expect(provider.calls).toHaveLength(2);
  });

  test('does not use a refused token again, even where no other is issued', async () => {
    let fault: (() => Response) | undefined;
    const { tokens } = await createTokenHarness({ fault: () => fault?.() });
    const refused = await tokens.token();
    fault = down;
    expect((await failureOf(tokens.renew(refused))).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    fault = undefined;
    expect(await tokens.token()).not.toBe(refused);
  });
});

describe('a credential that is refused', () => {
  const rotated = `rotated ${CANARY} +%`;
  const secretOf = (client_secret: string) =>
    JSON.stringify({ client_id: canaryClient.clientId, client_secret });

  test('is read again once, and a new one is tried', async () => {
    const { tokens, provider, store, clock, watched } = await createTokenHarness();
    await tokens.token();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    store.text = secretOf(rotated);
    clock.pass(3600 * 1000);
    await tokens.token();
    expect(provider.calls.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(store.reads).toBe(2);
    watched.expectSilence();
  });

  test('is not sent again where it is unchanged', async () => {
    const { tokens, provider, store, watched } = await createTokenHarness();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    expect(error.message).toContain('invalid_client (AADSTS7000215)');
    expect(provider.calls).toHaveLength(1);
    expect(store.reads).toBe(2);
    watched.expectSilence(error);
  });

  test('is not read a third time where the new one is refused too', async () => {
    const { tokens, provider, store } = await createTokenHarness();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    const failing = failureOf(tokens.token());
    store.text = secretOf('yet another');
    expect((await failing).code).toBe('CREDENTIAL_REFUSED');
    expect(provider.calls).toHaveLength(2);
    expect(store.reads).toBe(2);
  });

  test('is not sent by any caller for 30 seconds, then tried again', async () => {
    const { tokens, provider, store, clock } = await createTokenHarness();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    for (let call = 0; call < 5; call += 1)
      expect((await failureOf(tokens.token())).code).toBe('CREDENTIAL_REFUSED');
    expect(provider.calls).toHaveLength(1);
    store.text = secretOf(rotated);
    clock.pass(30_000);
    await tokens.token();
    expect(provider.calls.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  test('is kept in memory where the store cannot be read', async () => {
    const { tokens, provider, store, clock, watched } = await createTokenHarness();
    await tokens.token();
    store.down = true;
    clock.pass(3600 * 1000);
    await tokens.token();
    expect(store.reads).toBe(1);
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    clock.pass(3600 * 1000);
    expect((await failureOf(tokens.token())).code).toBe('CREDENTIAL_REFUSED');
    expect(watched.lines.join()).toContain('The secret cannot be read again');
    store.down = false;
    store.text = secretOf(rotated);
    clock.pass(30_000);
    await tokens.token();
    watched.expectSilence();
  });

  test('that cannot be read fails the call, and the next call succeeds', async () => {
    const { tokens, store, watched } = await createTokenHarness();
    store.down = true;
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('SECRET_UNAVAILABLE');
    expect(error.message).toContain('Reading the secret arn:test');
    expect(error.cause).toEqual(new Error('the store is down'));
    store.down = false;
    await tokens.token();
    watched.expectSilence(error);
  });

  test.each([
    [
      'unknown in the tenant',
      { client_id: 'nobody', client_secret: CANARY },
      'unauthorized_client (AADSTS700016)',
    ],
    [
      'of a client without onboarding',
      { client_id: '40a17e96-3c5d-4f10-98b2-9e4fb07c6d40', client_secret: 'sandbox-not-onboarded' },
      'unauthorized_client (AADSTS7000112)',
    ],
  ])('as that of %s is not called wrong itself', async (_name, secret, said) => {
    const { tokens, store, watched } = await createTokenHarness({ secret });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('TOKEN_REFUSED');
    expect(error.message).toContain(said);
    expect(store.reads).toBe(1);
    watched.expectSilence(error);
  });
});
