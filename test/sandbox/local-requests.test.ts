import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { foreignRequest } from '../../sandbox/http.ts';
import { startIdentityProvider } from '../../sandbox/identity/identity-provider.ts';

const reasonFor = (method: string, headers: Readonly<Record<string, string>>): string | null =>
  foreignRequest(method, (name) => headers[name]);

describe('a request', () => {
  test.each(['localhost:8000', '127.0.0.1:8000', '[::1]:8000', 'localhost'])('to %s is answered', (host) => {
    expect(reasonFor('GET', { host })).toBeNull();
    expect(reasonFor('POST', { host })).toBeNull();
    expect(reasonFor('POST', { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBeNull();
  });

  test.each(['evil.example:8000', '127.0.0.1.evil.example', '10.0.0.1:8000', '', '@', '0.0.0.0:80'])(
    'to the host %j is refused',
    (host) => {
      expect(reasonFor('GET', { host })).toContain('localhost only');
    },
  );

  const host = '127.0.0.1:8000';
  test.each([
    [{ host, origin: 'https://evil.example' }],
    [{ host, origin: 'http://127.0.0.1:9000' }],
    [{ host, origin: 'null' }],
    [{ host, 'sec-fetch-site': 'cross-site' }],
  ])('that writes from another origin is refused: %j', (headers) => {
    expect(reasonFor('POST', headers)).toContain('cross-origin');
    expect(reasonFor('DELETE', headers)).toContain('cross-origin');
    expect(reasonFor('GET', headers)).toBeNull();
  });
});

/** The status of a request with these headers, which `fetch` would not send. */
const statusOf = (
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(address, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('the catalogue and the identity provider refuse foreign requests', async () => {
  const catalogue = await startCatalogue({ clock, lists: {} });
  const provider = await startIdentityProvider({ clock });
  try {
    for (const address of [
      `${catalogue.url}activities/`,
      new URL('/sandbox/', catalogue.url).href,
      `${provider.authUrl}/sandbox/`,
    ]) {
      expect(await statusOf(address, 'GET', {})).toBe(200);
      expect(await statusOf(address, 'GET', { host: 'evil.example' })).toBe(403);
    }
    const foreign = { origin: 'https://evil.example' };
    expect(await statusOf(new URL('/sandbox/rows', catalogue.url).href, 'POST', foreign)).toBe(403);
    expect(await statusOf(`${provider.authUrl}/sandbox/revoke`, 'POST', foreign)).toBe(403);
    expect(await statusOf(`${provider.authUrl}/sandbox/revoke`, 'POST', {})).toBe(200);
  } finally {
    await catalogue.close();
    await provider.close();
  }
});
