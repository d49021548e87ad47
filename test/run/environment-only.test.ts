import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultProvider } from '../../lambdas/run/environment-only.ts';

/** The environment of a function, which holds nothing of AWS but this. */
const environment = (variables: Readonly<Record<string, string>>): void => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) {
    vi.stubEnv(name, variables[name]);
  }
};
const key = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a-secret-key' };

afterEach(() => vi.unstubAllEnvs());

describe('the credentials of a bundled function', () => {
  test('are those that Lambda sets, session and all', async () => {
    environment({ ...key, AWS_SESSION_TOKEN: 'a-session' });
    expect(await defaultProvider()()).toEqual({
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'a-secret-key',
      sessionToken: 'a-session',
    });
  });

  test('do without a session where there is none', async () => {
    environment(key);
    expect(await defaultProvider()()).toEqual({
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'a-secret-key',
    });
  });

  test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'are refused without %s, naming no value',
    async (name) => {
      environment({ ...key, [name]: '' });
      const refusal = await defaultProvider()().catch((error: unknown) => String(error));
      expect(refusal).toContain('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing');
      expect(refusal).not.toContain('a-secret-key');
    },
  );
});
