import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { createSecret } from '../../../lambdas/catalogue/identity/secret.ts';
import { secretsManagerSecret } from '../../../lambdas/catalogue/identity/secrets-manager.ts';
import { startSecretsManager } from '../../sandbox/identity/secrets-manager.ts';
import { CANARY, watchedLog } from './canaries.ts';
import { closeLater, failureOf } from './token-harness.ts';

const arn = 'arn:aws:secretsmanager:eu-west-2:000000000000:secret:uk-AbCdEf';

async function start() {
  const endpoint = await startSecretsManager();
  closeLater(endpoint.close);
  const client = new SecretsManagerClient({
    endpoint: endpoint.url,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: CANARY },
    maxAttempts: 1,
  });
  closeLater(async () => client.destroy());
  let made = 0;
  const source = secretsManagerSecret({
    secretId: arn,
    client: () => {
      made += 1;
      return client;
    },
  });
  const watched = watchedLog();
  const secret = createSecret({ source, parse: (text) => ({ text }), log: watched.log });
  return { endpoint, secret, watched, made: () => made };
}

describe('a secret in Secrets Manager', () => {
  test('is read once, when it is needed', async () => {
    const { endpoint, secret, made } = await start();
    endpoint.secrets.set(arn, 'first');
    expect(endpoint.asked).toEqual([]);
    expect(made()).toBe(0);
    const values = await Promise.all([secret.get(), secret.get(), secret.get()]);
    expect(values.map(({ text }) => text)).toEqual(['first', 'first', 'first']);
    await secret.get();
    expect(endpoint.asked).toEqual([arn]);
    expect(made()).toBe(1);
  });

  test('that was rotated is different when it is read again', async () => {
    const { endpoint, secret } = await start();
    endpoint.secrets.set(arn, 'first');
    const old = await secret.get();
    expect(await secret.reread(old)).toBe(false);
    endpoint.secrets.set(arn, 'second');
    expect(await Promise.all([secret.reread(old), secret.reread(old)])).toEqual([true, true]);
    expect((await secret.get()).text).toBe('second');
    // A late caller with the old value gets the new one without another reading.
    expect(await secret.reread(old)).toBe(true);
    expect(endpoint.asked).toHaveLength(3);
  });

  test('that does not exist fails with its name and the error of the store as cause', async () => {
    const { secret, watched } = await start();
    const error = await failureOf(secret.get());
    expect(error).toMatchObject({ name: 'IdentityError', code: 'SECRET_UNAVAILABLE' });
    expect(error.message).toContain(arn);
    expect(error.cause).toMatchObject({ name: 'ResourceNotFoundException' });
    watched.expectSilence(error.message, String(error.cause));
  });

  test('that is binary fails and shows nothing of it', async () => {
    const { endpoint, secret, watched } = await start();
    endpoint.secrets.set(arn, Buffer.from(CANARY));
    const error = await failureOf(secret.get());
    expect(error.cause).toMatchObject({ message: 'The secret is binary; expected text' });
    watched.log.error('failed', { error });
    watched.expectSilence();
  });
});
