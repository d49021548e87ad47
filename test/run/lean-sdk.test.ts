import { EndpointCache as Replaced } from '@aws-sdk/endpoint-cache';
import * as replaced from '@smithy/core/event-streams';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  defaultProvider,
  EndpointCache,
  EventStreamSerde,
  eventStreamSerdeProvider,
  resolveEventStreamSerdeConfig,
} from '../../lambdas/run/lean-sdk.ts';

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

test('the replaced cache has every method of the SDK’s own, and holds nothing', () => {
  const methods = Object.getOwnPropertyNames(Replaced.prototype).toSorted();
  expect(Object.getOwnPropertyNames(EndpointCache.prototype).toSorted()).toEqual(methods);
  const cache = new EndpointCache();
  cache.set();
  expect([cache.has(), cache.get(), cache.getEndpoint()]).toEqual([false, undefined, undefined]);
});

test('the replacement has what clients import of the SDK’s event streams, and refuses to have one', () => {
  expect(replaced).toMatchObject({
    EventStreamSerde: expect.any(Function),
    eventStreamSerdeProvider: expect.any(Function),
    resolveEventStreamSerdeConfig: expect.any(Function),
  });
  expect(resolveEventStreamSerdeConfig({ region: 'eu-west-2' })).toEqual({ region: 'eu-west-2' });
  expect(eventStreamSerdeProvider()).toBeUndefined();
  expect(() => new EventStreamSerde()).toThrow(/the operation has an event stream/);
});
