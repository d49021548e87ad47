import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { bearerAccess } from '../../lambdas/identity/bearer-access.ts';
import { CANARY } from './canaries.ts';
import { canaryClient, failureOf, tokenStage } from './token-stage.ts';

const down = () => new Response('', { status: 503 });

describe('a token source', () => {
  test('asks once for any number of callers at the same time', async () => {
    const { tokens, provider, keeper } = await tokenStage();
    const all = await Promise.all(Array.from({ length: 50 }, () => tokens.token()));
    expect(new Set(all).size).toBe(1);
    expect(provider.calls).toHaveLength(1);
    expect(keeper.reads).toBe(1);
    expect(decodeJwt(all[0] ?? '')).toMatchObject({ appid: canaryClient.clientId, ver: '1.0' });
  });

  test.each([
    { lifetime: 3600, keptFor: 3300 },
    { lifetime: 5, keptFor: 4.5 },
    { lifetime: 86_400 * 365, keptFor: 86_400 - 300 },
  ])(
    'keeps a token of $lifetime s for $keptFor s, and then asks for another',
    async ({ lifetime, keptFor }) => {
      const { tokens, provider, clock } = await tokenStage({ lifetime });
      const first = await tokens.token();
      clock.advance(keptFor * 1000 - 1);
      expect(await tokens.token()).toBe(first);
      expect(provider.calls).toHaveLength(1);
      clock.advance(1);
      const second = await tokens.token();
      expect(second).not.toBe(first);
      expect(await tokens.token()).toBe(second);
      expect(provider.calls).toHaveLength(2);
      expect(tokens.requests()).toBe(2);
    },
  );

  test('uses a token that still serves where its renewal fails, and tries again half a minute later', async () => {
    let fault: (() => Response) | undefined;
    const { tokens, provider, clock, watched } = await tokenStage({ fault: () => fault?.() });
    const first = await tokens.token();
    fault = down;
    clock.advance(3300 * 1000);
    expect(await tokens.token()).toBe(first);
    expect(await tokens.token()).toBe(first);
    expect(provider.calls).toHaveLength(2);
    expect(watched.lines.join()).toContain('The token cannot be renewed; the current one is still valid');
    clock.advance(30_000);
    expect(await tokens.token()).toBe(first);
    expect(provider.calls).toHaveLength(3);
    fault = undefined;
    clock.advance(30_000);
    expect(await tokens.token()).not.toBe(first);
    watched.expectSilence();
  });

  test('does not use a token that expires while its renewal fails', async () => {
    let fault: (() => Response) | undefined;
    const { tokens, clock } = await tokenStage({ fault: () => fault?.() });
    await tokens.token();
    clock.advance(3590 * 1000);
    fault = () => {
      clock.advance(10_000);
      return down();
    };
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  });

  test('says when a token was issued and until when it serves, and not which', async () => {
    const { tokens, watched, provider } = await tokenStage();
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

  test('fails where the token has expired and there is no other, after patient repeats', async () => {
    let fault: (() => Response) | undefined;
    const { tokens, provider, clock, watched } = await tokenStage({ fault: () => fault?.() });
    await tokens.token();
    fault = down;
    clock.advance(3600 * 1000);
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(provider.calls).toHaveLength(1 + 3);
    expect(clock.sleeps).toHaveLength(2);
    watched.expectSilence(error);
  });

  test('asks past its memory when an API refused the token, once for all who were refused', async () => {
    const { tokens, provider } = await tokenStage();
    const refused = await tokens.token();
    await Promise.all(Array.from({ length: 10 }, () => tokens.renew(refused)));
    expect(provider.calls).toHaveLength(2);
    const fresh = await tokens.token();
    expect(fresh).not.toBe(refused);
    // A straggler who was refused with the old token finds the new one there already.
    await tokens.renew(refused);
    expect(await tokens.token()).toBe(fresh);
    expect(provider.calls).toHaveLength(2);
  });

  test('is patient with the identity provider when an API refused the token', async () => {
    let faults = 0;
    const { tokens, provider } = await tokenStage({ fault: () => (faults-- > 0 ? down() : undefined) });
    const refused = await tokens.token();
    faults = 1;
    await tokens.renew(refused);
    expect(provider.calls.map(({ status }) => status)).toEqual([200, 503, 200]);
  });

  test('knows the refused token by the headers that were sent', async () => {
    const { tokens, provider } = await tokenStage();
    const access = bearerAccess(tokens);
    const refused = await access.headers();
    expect(await access.renew(refused)).toBe(true);
    expect(await access.renew(refused)).toBe(true);
    expect(provider.calls).toHaveLength(2);
    expect(await access.renew({})).toBe(true);
    expect(provider.calls).toHaveLength(3);
  });

  test('drops whatever it holds where nobody says which token was refused', async () => {
    const { tokens, provider } = await tokenStage();
    const refused = await tokens.token();
    await tokens.renew();
    expect(await tokens.token()).not.toBe(refused);
    expect(provider.calls).toHaveLength(2);
  });

  test('does not go back to a token that was refused, though another cannot be had', async () => {
    let fault: (() => Response) | undefined;
    const { tokens } = await tokenStage({ fault: () => fault?.() });
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

  test('is read again once, and the new one is tried', async () => {
    const { tokens, provider, keeper, clock, watched } = await tokenStage();
    await tokens.token();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    keeper.text = secretOf(rotated);
    clock.advance(3600 * 1000);
    await tokens.token();
    expect(provider.calls.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(keeper.reads).toBe(2);
    watched.expectSilence();
  });

  test('is not sent again where it is still the same', async () => {
    const { tokens, provider, keeper, watched } = await tokenStage();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    expect(error.message).toContain('invalid_client (AADSTS7000215)');
    expect(provider.calls).toHaveLength(1);
    expect(keeper.reads).toBe(2);
    watched.expectSilence(error);
  });

  test('is not read a third time where the new one is refused too', async () => {
    const { tokens, provider, keeper } = await tokenStage();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    const failing = failureOf(tokens.token());
    keeper.text = secretOf('yet another');
    expect((await failing).code).toBe('CREDENTIAL_REFUSED');
    expect(provider.calls).toHaveLength(2);
    expect(keeper.reads).toBe(2);
  });

  test('is left alone for half a minute, for all who ask, and then tried again', async () => {
    const { tokens, provider, keeper, clock } = await tokenStage();
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    for (let call = 0; call < 5; call += 1)
      expect((await failureOf(tokens.token())).code).toBe('CREDENTIAL_REFUSED');
    expect(provider.calls).toHaveLength(1);
    keeper.text = secretOf(rotated);
    clock.advance(30_000);
    await tokens.token();
    expect(provider.calls.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  test('keeps its value in memory where the keeper cannot be asked', async () => {
    const { tokens, provider, keeper, clock, watched } = await tokenStage();
    await tokens.token();
    keeper.down = true;
    clock.advance(3600 * 1000);
    await tokens.token();
    expect(keeper.reads).toBe(1);
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    clock.advance(3600 * 1000);
    expect((await failureOf(tokens.token())).code).toBe('CREDENTIAL_REFUSED');
    expect(watched.lines.join()).toContain('The secret cannot be read again');
    keeper.down = false;
    keeper.text = secretOf(rotated);
    clock.advance(30_000);
    await tokens.token();
    watched.expectSilence();
  });

  test('that cannot be read at all fails the call, and the next one heals', async () => {
    const { tokens, keeper, watched } = await tokenStage();
    keeper.down = true;
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('SECRET_UNAVAILABLE');
    expect(error.message).toContain('Reading the secret arn:test');
    expect(error.cause).toEqual(new Error('the keeper is down'));
    keeper.down = false;
    await tokens.token();
    watched.expectSilence(error);
  });

  test.each([
    [
      'a stranger to the tenant',
      { client_id: 'nobody', client_secret: CANARY },
      'unauthorized_client (AADSTS700016)',
    ],
    [
      'no onboarded client',
      { client_id: '40a17e96-3c5d-4f10-98b2-9e4fb07c6d40', client_secret: 'sandbox-not-onboarded' },
      'unauthorized_client (AADSTS7000112)',
    ],
  ])('as that of %s is not called wrong itself', async (_name, secret, said) => {
    const { tokens, keeper, watched } = await tokenStage({ secret });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('TOKEN_REFUSED');
    expect(error.message).toContain(said);
    expect(keeper.reads).toBe(1);
    watched.expectSilence(error);
  });
});
