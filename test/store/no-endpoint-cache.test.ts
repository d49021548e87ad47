import { EndpointCache as Replaced } from '@aws-sdk/endpoint-cache';
import { expect, test } from 'vitest';
import { EndpointCache } from '../../lambdas/store/no-endpoint-cache.ts';

test('the replaced cache has every method of the SDK’s own, and holds nothing', () => {
  const methods = Object.getOwnPropertyNames(Replaced.prototype).toSorted();
  expect(Object.getOwnPropertyNames(EndpointCache.prototype).toSorted()).toEqual(methods);
  const cache = new EndpointCache();
  cache.set();
  expect([cache.has(), cache.get(), cache.getEndpoint()]).toEqual([false, undefined, undefined]);
});
