import { expect, test } from 'vitest';
import { AccessError, fixedHeader } from '../../../lambdas/catalogue/http/access.ts';
import { failure, open } from './fixtures/opened.ts';
import { page, status } from './fixtures/responses.ts';
import { serve } from './fixtures/server.ts';

test('a fixed header goes with every request', async () => {
  const { url, headers } = await serve(page());
  const { catalogue } = open(url, { access: fixedHeader('Authorization', 'Token 0a1b2c') });
  await catalogue.activities(1);
  await catalogue.activities(2);
  expect(headers.map(({ authorization }) => authorization)).toEqual(['Token 0a1b2c', 'Token 0a1b2c']);
});

test.each(['0a1b2c', 'Token 0a1b2c', 'Token  a \t b:c=~', '!'])(
  'the value %j is sent unchanged',
  async (value) => {
    const { url, headers } = await serve(page());
    await open(url, { access: fixedHeader('X-Token', value) }).catalogue.activities(1);
    expect(headers[0]?.['x-token']).toBe(value);
  },
);

test.each([
  ['an empty name', '', 'Token secret'],
  ['a name with a blank', 'X Token', 'Token secret'],
  ['a name with a line break', 'X-Token:\r\nHost', 'Token secret'],
  ['an empty value', 'Authorization', ''],
  ['a value with a line break', 'Authorization', 'Token secret\r\nHost: evil.example'],
  ['a value with a line break at its end', 'Authorization', 'Token secret\n'],
  ['a value with a typographic dash', 'Authorization', 'Token secret–1'],
  ['a value with a NUL character', 'Authorization', 'Token secret\0'],
])('a header with %s is refused without its value', (_, name, value) => {
  expect(() => fixedHeader(name, value)).toThrow(AccessError);
  expect(() => fixedHeader(name, value)).not.toThrow(/secret/);
});

test('a fixed header that is refused is not retried', async () => {
  const { url, requests } = await serve(status(401));
  const access = fixedHeader('Authorization', 'Token 0a1b2c');
  const error = await failure(open(url, { access }).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_UNAUTHORIZED');
  expect(requests).toHaveLength(1);
});

test('a 401 without credentials is not retried', async () => {
  const { url, requests } = await serve(status(401));
  const error = await failure(open(url).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_UNAUTHORIZED');
  expect(error.message).toContain('Give credentials');
  expect(requests).toHaveLength(1);
});

test('after a 401 the access is renewed and the request sent once more', async () => {
  const { url, headers } = await serve(status(401), page());
  let token = 1;
  const access = {
    headers: async () => ({ authorization: `Bearer ${token}` }),
    renew: async () => {
      token += 1;
      return true;
    },
  };
  expect(await open(url, { access }).catalogue.activities(1)).toMatchObject({ count: 1 });
  expect(headers.map(({ authorization }) => authorization)).toEqual(['Bearer 1', 'Bearer 2']);
});

test('a 401 again after the renewal is final', async () => {
  const { url, requests } = await serve(status(401));
  let renewals = 0;
  const access = {
    headers: async () => ({ authorization: 'Bearer canary-token' }),
    renew: async () => {
      renewals += 1;
      return true;
    },
  };
  const error = await failure(open(url, { access }).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_UNAUTHORIZED');
  expect(error.message).toContain('credentials');
  expect(requests).toHaveLength(2);
  expect(renewals).toBe(1);
  expect(JSON.stringify([error, error.message, error.stack])).not.toContain('canary');
});

test('a 401 after a transient error is still followed by one renewal', async () => {
  const { url, requests } = await serve(status(503), status(401), status(503), status(401));
  let renewals = 0;
  const access = {
    headers: async () => ({}),
    renew: async () => {
      renewals += 1;
      return true;
    },
  };
  const error = await failure(open(url, { access }).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_UNAUTHORIZED');
  expect([requests.length, renewals]).toEqual([4, 1]);
});

test('a 403 is final and renews nothing', async () => {
  const { url, requests } = await serve(status(403));
  const access = {
    headers: async () => ({ authorization: 'Bearer 1' }),
    renew: async () => Promise.reject(new Error('not to be called')),
  };
  const error = await failure(open(url, { access }).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_FORBIDDEN');
  expect(error.status).toBe(403);
  expect(requests).toHaveLength(1);
});

test('an error of the access passes through unchanged, and no request is sent', async () => {
  const { url, requests } = await serve(page());
  const fault = new Error('the identity provider is down');
  const access = { headers: async () => Promise.reject(fault), renew: async () => false };
  await expect(open(url, { access }).catalogue.activities(1)).rejects.toBe(fault);
  expect(requests).toEqual([]);
});

test.each([
  ['http://panels.example.org', true],
  ['https://panels.example.org', false],
  ['http://localhost:8000', false],
  ['http://127.0.0.1:8000', false],
  ['http://[::1]:8000', false],
  ['http://127.10.200.3', false],
  ['http://localhost.example.org', true],
  ['http://notlocalhost', true],
])('credentials sent to %s are logged as unencrypted: %s', (url, warned) => {
  const { log } = open(url, { access: fixedHeader('Authorization', 'Token 0a1b2c') });
  const warning = { level: 'warn', fields: { url: expect.stringContaining(url) } };
  expect(log.lines).toMatchObject(warned ? [warning] : []);
});

test('without credentials there is no warning', () => {
  expect(open('http://panels.example.org').log.lines).toEqual([]);
});
