import { afterEach, describe, expect, test, vi } from 'vitest';
import { tenantAddresses } from '../../../lambdas/catalogue/identity/token-exchange.ts';
import type { TokenCall } from '../../../sandbox/identity/identity-provider.ts';
import { noon } from '../../run/test-clock.ts';
import { selfSigned } from '../../sandbox/identity/self-signed.ts';
import { CANARY } from './canaries.ts';
import { canaryClient, createTokenHarness, failureOf, type TokenHarnessOptions } from './token-harness.ts';

afterEach(() => vi.restoreAllMocks());

const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);
const good = { token_type: 'Bearer', expires_in: '3600', access_token: `good.${CANARY}` };

describe('hostile responses of the token endpoint', () => {
  const page = `<!doctype html><title>Sign in, ${CANARY}</title>`;
  const cases: [string, () => Response, string, TokenHarnessOptions?][] = [
    [
      'a redirect elsewhere',
      () => Response.redirect('https://evil.example/'),
      'IDENTITY_PROVIDER_REDIRECTED',
    ],
    [
      'a redirect to itself',
      () => new Response(null, { status: 307, headers: { location: '?' } }),
      'IDENTITY_PROVIDER_REDIRECTED',
    ],
    [
      'a web page',
      () => new Response(page, { headers: { 'content-type': 'text/html' } }),
      'IDENTITY_PROVIDER_HTML',
    ],
    ['an empty body', () => new Response(''), 'IDENTITY_PROVIDER_EMPTY'],
    ['204', () => new Response(null, { status: 204 }), 'IDENTITY_PROVIDER_REQUEST_REFUSED'],
    ['no JSON', () => new Response(CANARY), 'IDENTITY_PROVIDER_JSON_WRONG'],
    ['half a token', () => new Response(JSON.stringify(good).slice(0, -4)), 'IDENTITY_PROVIDER_JSON_WRONG'],
    [
      'a field twice',
      () => new Response(`{"access_token":"${CANARY}","access_token":"b"}`),
      'IDENTITY_PROVIDER_KEYS_REPEATED',
    ],
    ['a body without end', () => endless(), 'IDENTITY_PROVIDER_TOO_LARGE'],
    [
      'a body that never ends',
      () => trickling(),
      'IDENTITY_PROVIDER_TIMED_OUT',
      { limits: { exchangeMs: 300, retries: 0 } },
    ],
    ['200 with an error', json({ error: 'invalid_client', error_description: CANARY }), 'CREDENTIAL_REFUSED'],
    ['200 with no token', json({ token_type: 'Bearer' }), 'TOKEN_WRONG'],
    ['200 with another type', json({ ...good, token_type: 'DPoP' }), 'TOKEN_WRONG'],
    ['an unknown error code', json({ error: CANARY }, { status: 400 }), 'TOKEN_REFUSED'],
    [
      'an error code that is no text',
      json({ error: { code: CANARY } }, { status: 400 }),
      'IDENTITY_PROVIDER_REQUEST_REFUSED',
    ],
    ['400 without JSON', () => new Response(page, { status: 400 }), 'IDENTITY_PROVIDER_HTML'],
    ['401 without JSON', () => new Response(page, { status: 401 }), 'CREDENTIAL_REFUSED'],
    ['401 without a body', () => new Response(null, { status: 401 }), 'CREDENTIAL_REFUSED'],
    ['403', json({ error: 'access_denied' }, { status: 403 }), 'IDENTITY_PROVIDER_FORBIDDEN'],
    ['404', () => new Response(page, { status: 404 }), 'IDENTITY_PROVIDER_NOT_FOUND'],
    ['500', () => new Response(page, { status: 500 }), 'IDENTITY_PROVIDER_UNAVAILABLE'],
  ];

  test.each(cases)('%s ends in a clear error that quotes nothing', async (_name, fault, code, options) => {
    const { tokens, watched } = await createTokenHarness({ fault, ...options });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe(code);
    expect(error.message).toContain('/oauth2/token');
    watched.expectSilence(error);
  });

  test('an error code or number is repeated only where it is known to be one', async () => {
    const description = `AADSTS7000222: ${CANARY} has expired. Trace ID: ${CANARY}`;
    const fault = json({ error: 'invalid_client', error_description: description }, { status: 401 });
    const { tokens } = await createTokenHarness({ fault });
    const { message } = await failureOf(tokens.token());
    expect(message).toContain('HTTP 401 with invalid_client (AADSTS7000222).');
  });
});

describe('transient errors of the token endpoint', () => {
  const once = (fault: Response) => {
    let left = 1;
    return () => (left-- > 0 ? fault : undefined);
  };

  test.each([500, 502, 503, 504, 408])('HTTP %i is retried', async (status) => {
    const { tokens, provider, clock } = await createTokenHarness({
      fault: once(new Response('', { status })),
    });
    await tokens.token();
    expect(provider.calls.map((call) => call.status)).toEqual([status, 200]);
    expect(clock.sleeps).toHaveLength(1);
  });

  test('Retry-After is kept to', async () => {
    const fault = once(new Response('', { status: 429, headers: { 'retry-after': '7' } }));
    const { tokens, clock } = await createTokenHarness({ fault });
    await tokens.token();
    expect(Math.round((clock.sleeps[0] ?? 0) / 1000)).toBe(7);
  });

  test('a long Retry-After ends the attempt, and no request is sent before it is over', async () => {
    const fault = once(new Response('', { status: 429, headers: { 'retry-after': '600' } }));
    const { tokens, provider, clock } = await createTokenHarness({ fault });
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_NOT_BEFORE');
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_NOT_BEFORE');
    expect(provider.calls).toHaveLength(1);
    clock.pass(601_000);
    await tokens.token();
    expect(provider.calls).toHaveLength(2);
  });

  test('an incomplete response is retried', async () => {
    // The server reports that its body failed.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { tokens, provider } = await createTokenHarness({
      fault: once(new Response(cut(), { status: 200 })),
    });
    await tokens.token();
    expect(provider.calls).toHaveLength(2);
  });
});

describe('the message of a refusal', () => {
  test.each([
    ['401 without JSON', () => new Response('', { status: 401 }), 'HTTP 401 with no error code. '],
    ['a known code', json({ error: 'invalid_scope' }, { status: 400 }), 'HTTP 400 with invalid_scope. '],
    ['an unknown code', json({ error: 'x y' }, { status: 400 }), 'HTTP 400 with an unknown error code. '],
    ['no code', json({ hint: CANARY }, { status: 400 }), 'HTTP 400 and states no error. '],
    ['another status', json({}, { status: 418 }), 'the response is HTTP 418. '],
  ])('%s', async (_name, fault, message) => {
    const { tokens } = await createTokenHarness({ fault });
    expect((await failureOf(tokens.token())).message).toContain(message);
  });
});

describe('the credential and the server', () => {
  test.each(['raw', 'form', 'both'] as const)(
    'a server that reads the Basic header %s accepts every character',
    async (reading) => {
      const { tokens } = await createTokenHarness({ basic: reading, settings: { basic: undefined } });
      expect(await tokens.token()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    },
  );

  test('the Basic header is literally base64(<client_id>:<client_secret>) first', async () => {
    const { tokens, provider } = await createTokenHarness({ settings: { basic: undefined } });
    await tokens.token();
    const { clientId, secrets } = canaryClient;
    const literal = Buffer.from(`${clientId}:${secrets[0]}`).toString('base64');
    expect(provider.calls.map(({ headers }) => headers.get('authorization'))).toEqual([`Basic ${literal}`]);
  });

  test('the other form of the Basic header is tried once and remembered', async () => {
    const { tokens, provider } = await createTokenHarness({ basic: 'form', settings: { basic: undefined } });
    await tokens.token();
    await tokens.renew();
    expect(provider.calls.map(({ status }) => status)).toEqual([401, 200, 200]);
    expect(tokens.requests()).toBe(3);
  });

  test('a secret that is refused in both forms is sent no third time', async () => {
    const secret = { client_id: canaryClient.clientId, client_secret: `wrong+ ${CANARY}` };
    const { tokens, provider, watched } = await createTokenHarness({
      secret,
      settings: { basic: undefined },
    });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    expect(provider.calls.map(({ status }) => status)).toEqual([401, 401]);
    watched.expectSilence(error);
  });

  test('a secret that both forms write alike is sent once', async () => {
    const secret = { client_id: canaryClient.clientId, client_secret: `wrong.${CANARY}` };
    const { tokens, provider } = await createTokenHarness({ secret, settings: { basic: undefined } });
    expect((await failureOf(tokens.token())).message).not.toContain('basic');
    expect(provider.calls).toHaveLength(1);
  });

  test.each([
    ['raw', 'form'],
    ['form', 'raw'],
  ] as const)('a refused Basic header that was set to %s names %s as the remedy', async (basic, other) => {
    const { tokens, provider } = await createTokenHarness({ basic: other, settings: { basic } });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    expect(error.message).toContain(`set basic to ${other} (--basic, AUTH_BASIC)`);
    expect(provider.calls).toHaveLength(1);
  });

  test('a refused assertion names the algorithm that the discovery document lists', async () => {
    const own = selfSigned({ name: 'Canary', from: noon - 1e9, until: noon + 1e9 });
    const client = { ...canaryClient, certificates: [own.certificate] };
    const { privateKey: private_key, certificate } = own;
    const secret = { client_id: client.clientId, private_key, certificate };
    const { tokens } = await createTokenHarness({ client, secret, assertionAlgorithms: ['RS256'] });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    expect(error.message).toContain('does not list PS256 but RS256: set "algorithm": "RS256" in the secret.');
    expect(tokens.requests()).toBe(1);
  });

  test('a refused resource names its setting', async () => {
    const { tokens } = await createTokenHarness({ settings: { resource: 'https://unknown.example' } });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('TOKEN_REFUSED');
    expect(error.message).toContain('does not know the resource (--resource, AUTH_RESOURCE)');
  });

  test.each(['PS256', 'RS256'] as const)('a certificate replaces the secret: %s', async (algorithm) => {
    const own = selfSigned({ name: 'Canary', from: noon - 1e9, until: noon + 1e9 });
    const client = { ...canaryClient, certificates: [own.certificate] };
    const { privateKey: private_key, certificate } = own;
    const secret = { client_id: client.clientId, private_key, certificate, algorithm };
    let faults = 1;
    const fault = () => (faults-- > 0 ? new Response('', { status: 503 }) : undefined);
    const { tokens, provider, clock } = await createTokenHarness({ client, secret, fault });
    await tokens.token();
    clock.pass(3600 * 1000);
    await tokens.token();
    expect(provider.calls.map(({ status }) => status)).toEqual([503, 200, 200]);
    expect(new Set(provider.calls.map(assertionOf)).size).toBe(3);
  });

  test('an assertion is not sent again after a final error', async () => {
    const own = selfSigned({ name: 'Canary', from: noon - 1e9, until: noon + 1e9 });
    const client = { ...canaryClient, certificates: [own.certificate] };
    const { privateKey: private_key, certificate } = own;
    const secret = { client_id: client.clientId, private_key, certificate };
    let answer: (() => Response) | undefined = json({}, { status: 404 });
    const { tokens, provider, clock } = await createTokenHarness({ client, secret, fault: () => answer?.() });
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_NOT_FOUND');
    expect(provider.calls).toHaveLength(1);
    answer = undefined;
    const first = await tokens.token();
    // While the first token is valid, its renewal is tried once.
    answer = () => new Response('', { status: 503 });
    clock.pass(3400 * 1000);
    expect(await tokens.token()).toBe(first);
    expect(provider.calls).toHaveLength(3);
    // Without a token, a transient error is retried once.
    clock.pass(3600 * 1000);
    expect((await failureOf(tokens.token())).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(provider.calls).toHaveLength(5);
  });

  test.each([
    ['expired', { from: noon - 2e9, until: noon - 1e9 }, 'AADSTS7000214'],
    ['not valid yet', { from: noon + 1e9, until: noon + 2e9 }, 'AADSTS7000214'],
  ])('a certificate that is %s is refused', async (_name, validity, message) => {
    const { privateKey: private_key, certificate } = selfSigned({ name: 'Canary', ...validity });
    const client = { ...canaryClient, certificates: [certificate] };
    const secret = { client_id: client.clientId, private_key, certificate };
    const { tokens } = await createTokenHarness({ client, secret });
    const error = await failureOf(tokens.token());
    expect(error.code).toBe('CREDENTIAL_REFUSED');
    expect(error.message).toContain(message);
  });

  test.each([
    ['http://login.example.org/', 'tenant', 'expected https'],
    ['ftp://login.example.org/', 'tenant', 'is not a URL'],
    ['login.example.org', 'tenant', 'is not a URL'],
    [`https://user:${CANARY}@login.example.org/`, 'tenant', 'user name or password'],
    ['https://login.example.org/', '..', 'not a part of a path'],
    ['https://login.example.org/', '../..', 'not a part of a path'],
    ['https://login.example.org/', 'a/b', 'not a part of a path'],
    ['https://login.example.org/', '', 'not a part of a path'],
    ['https://login.example.org/', 'a?b', 'not a part of a path'],
  ])('are not sent to %s, tenant %j', async (authUrl, tenantId, message) => {
    const error = await failureOf(createTokenHarness({ settings: { authUrl, tenantId } }));
    expect(error.code).toBe('IDENTITY_PROVIDER_ADDRESS_WRONG');
    expect(error.message).toContain(message);
    expect(error.message).not.toContain(CANARY);
  });
});

test.each(['contoso.onmicrosoft.com', 'a', 'A-_.9', '.a', 'a.', '-a-b-'])(
  'the tenant %j is part of the address',
  (tenantId) => {
    const { token, discovery } = tenantAddresses('https://login.example.org/base', tenantId);
    expect(token).toBe(`https://login.example.org/base/${tenantId}/oauth2/token`);
    expect(discovery).toBe(`https://login.example.org/base/${tenantId}/.well-known/openid-configuration`);
  },
);

const assertionOf = ({ body }: TokenCall) => new URLSearchParams(body).get('client_assertion');

/** More than a token is ever large. */
function endless(): Response {
  const piece = new TextEncoder().encode(' '.repeat(16_384));
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }));
}

/** Headers and one byte, and then nothing. */
function trickling(): Response {
  return new Response(
    new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x20])) }),
  );
}

/** A body that breaks off. */
function cut(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
}
