import { decodeJwt } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { type Family, startFamily } from '../../../sandbox/interpretation/start.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { selfSigned } from '../identity/self-signed.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(): Promise<Family> {
  const family = await startFamily({ clock: createTestClock(), lifetime: 120 });
  closing.push(family.close);
  return family;
}

/** What a person would copy from the lines into a shell. */
function settingsIn({ lines }: Family): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)='?(.*?)'?$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, String(value)]];
    }),
  );
}

async function tokenFrom(family: Family, secret?: string): Promise<Response> {
  const { AUTH_URL, TENANT_ID, CLIENT_ID, CLIENT_SECRET } = settingsIn(family);
  const [id, password] = [String(CLIENT_ID), secret ?? String(CLIENT_SECRET)].map(encodeURIComponent);
  return fetch(`${AUTH_URL}/${TENANT_ID}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${password}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
}

const tokenIn = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { readonly access_token: string }).access_token;

const read = (family: Family, token: string) =>
  fetch(`${settingsIn(family).INTERPRETATION_URL}/interpretation-request`, {
    headers: { authorization: `Bearer ${token}` },
  });

describe('the family', () => {
  test('prints addresses and credentials that work', async () => {
    const family = await start();
    const token = await tokenIn(await tokenFrom(family));
    expect((await read(family, token)).status).toBe(200);
    const asked = (authorization: string) => new Request('http://x/', { headers: { authorization } });
    expect(await family.authorise(asked(`Bearer ${token}`))).toBeUndefined();
    expect((await family.authorise(asked('Bearer x')))?.status).toBe(401);
  });

  test('closes its other ports when one of them is taken', async () => {
    const family = await start();
    const port = Number(new URL(family.applications.urls['interpretation-api']).port);
    await expect(startFamily({ clock: createTestClock(), port: port - 1 })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('the control over HTTP', () => {
  const post = ({ provider }: Family, path: string, body: unknown = {}) =>
    fetch(`${provider.authUrl}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });

  test('lists itself', async () => {
    const { provider } = await start();
    const routes = (await (await fetch(`${provider.authUrl}/sandbox/`)).json()) as object;
    expect(Object.keys(routes)).toContain('POST /sandbox/revoke');
  });

  test('lists the accounts of the tenants', async () => {
    const family = await start();
    const accounts = await (await fetch(`${family.provider.authUrl}/sandbox/accounts`)).text();
    expect(accounts).toContain(String(settingsIn(family).CLIENT_ID));
    expect(accounts).toContain('Olu Operator');
  });

  test('sets the lifetime of tokens', async () => {
    const family = await start();
    await post(family, 'lifetime', { seconds: 5 });
    const { exp = 0, iat = 0 } = decodeJwt(await tokenIn(await tokenFrom(family)));
    expect(exp - iat).toBe(5);
  });

  test('revokes tokens', async () => {
    const family = await start();
    const token = await tokenIn(await tokenFrom(family));
    await post(family, 'revoke');
    expect((await read(family, token)).status).toBe(401);
  });

  test('rotates a secret', async () => {
    const family = await start();
    await post(family, 'secrets', { client_id: settingsIn(family).CLIENT_ID, client_secret: 'new' });
    expect([(await tokenFrom(family)).status, (await tokenFrom(family, 'new')).status]).toEqual([401, 200]);
  });

  test('registers a certificate', async () => {
    const family = await start();
    const { certificate } = selfSigned({ name: 'own', from: 0, until: 1e12 });
    const { CLIENT_ID, TENANT_ID } = settingsIn(family);
    await post(family, 'certificates', { client_id: CLIENT_ID, certificate });
    const client = family.provider.directory.client(String(TENANT_ID), String(CLIENT_ID));
    expect(client?.certificates).toEqual([certificate]);
  });

  test('changes the signing key, and earlier tokens stay valid', async () => {
    const family = await start();
    const before = await tokenIn(await tokenFrom(family));
    await post(family, 'keys');
    const after = await tokenIn(await tokenFrom(family));
    expect([(await read(family, before)).status, (await read(family, after)).status]).toEqual([200, 200]);
  });

  test.each([
    ['lifetime', { seconds: 'long' }],
    ['lifetime', { seconds: -1 }],
    ['lifetime', null],
    ['secrets', { client_id: 'x' }],
    ['certificates', {}],
    ['certificates', { client_id: 'x', certificate: 'y' }],
  ])('says what is wrong with %s %j', async (path, body) => {
    const answer = await post(await start(), path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('✖') });
  });
});
