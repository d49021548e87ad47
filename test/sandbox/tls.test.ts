import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { selfSigned } from '../../sandbox/http.ts';
import { startFamily } from '../../sandbox/interpretation/start.ts';

const day = 24 * 3600 * 1000;
const tls = selfSigned({
  host: 'localhost',
  from: new Date(clock.now() - day),
  until: new Date(clock.now() + day),
});

/** A client that trusts the certificate of the sandbox, and no other. */
function trusting(): Agent {
  const agent = new Agent({ connect: { ca: tls.cert } });
  onTestFinished(() => agent.close());
  return agent;
}

describe('over TLS', () => {
  test('the catalogue is served to who trusts its certificate, with addresses of TLS', async () => {
    const catalogue = await startCatalogue({ clock, history: 60, pageSize: 10, tls });
    onTestFinished(() => catalogue.close());
    expect(catalogue.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api\/v1\/$/);
    const { origin, port } = new URL(catalogue.url);
    const agent = trusting();
    for (const host of [origin, `https://localhost:${port}`]) {
      const { statusCode, body } = await agent.request({
        origin: host,
        path: '/api/v1/activities/',
        method: 'GET',
      });
      const page = (await body.json()) as { readonly next: string };
      expect(statusCode).toBe(200);
      expect(page.next).toBe(`${host}/api/v1/activities/?page=2`);
    }
    await expect(fetch(catalogue.url)).rejects.toThrow();
  });

  test('the identity provider and the applications are served so, each under the address that it states', async () => {
    const family = await startFamily({ clock, tls });
    onTestFinished(() => family.close());
    const addresses = family.lines.flatMap((line) => /https?:\/\/\S+/.exec(line) ?? []);
    expect(addresses.length).toBe(8);
    expect(addresses.every((address) => address.startsWith('https://'))).toBe(true);
    const tenant = /TENANT_ID=(\S+)/.exec(family.lines.join('\n'))?.[1];
    const { body } = await trusting().request({
      origin: family.provider.authUrl,
      path: `/${tenant}/.well-known/openid-configuration`,
      method: 'GET',
    });
    expect(await body.json()).toMatchObject({
      token_endpoint: `${family.provider.authUrl}/${tenant}/oauth2/token`,
    });
  });
});
