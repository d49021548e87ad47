import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { catalogueErrors, defaultLimits } from '../../../lambdas/catalogue/http/access.ts';
import { createAttempts, proxyFor } from '../../../lambdas/catalogue/http/attempt.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { silentLog } from '../../../lambdas/run/log.ts';
import { selfSigned } from '../../../sandbox/http.ts';
import { page } from './fixtures/responses.ts';
import { serveSecurely } from './fixtures/server.ts';

describe('proxyFor()', () => {
  const url = new URL('https://panels.example.org/api/v1/');
  const HTTPS_PROXY = 'http://proxy.example.org:3128';

  test.each([
    ['no proxy', {}, undefined],
    ['a proxy', { HTTPS_PROXY }, `${HTTPS_PROXY}/`],
    ['a proxy in lower case', { https_proxy: HTTPS_PROXY }, `${HTTPS_PROXY}/`],
    ['a proxy without a scheme', { HTTPS_PROXY: 'proxy.example.org:3128' }, `${HTTPS_PROXY}/`],
    ['the host itself excepted', { HTTPS_PROXY, NO_PROXY: 'other.org, panels.example.org' }, undefined],
    ['its domain excepted', { HTTPS_PROXY, NO_PROXY: '.example.org' }, undefined],
    ['another domain that ends alike', { HTTPS_PROXY, NO_PROXY: 'ample.org' }, `${HTTPS_PROXY}/`],
    ['all hosts excepted', { HTTPS_PROXY, NO_PROXY: '*' }, undefined],
  ])('%s', (_, environment, expected) => {
    expect(proxyFor(url, environment)?.href).toBe(expected);
  });

  test.each(['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]/'])('%s needs no proxy', (here) => {
    expect(proxyFor(new URL(here), { HTTPS_PROXY })).toBeUndefined();
  });

  test.each(['http://', 'socks5://proxy.example.org:1080'])('the proxy %s is refused', (address) => {
    expect(() => proxyFor(url, { HTTPS_PROXY: address })).toThrow(TypeError);
  });
});

describe('a request through a proxy', () => {
  afterEach(() => vi.unstubAllEnvs());

  /** A proxy that connects every host to this machine, unless it refuses. */
  async function startProxy(port: number, { refuse = false } = {}) {
    const asked: { target: string | undefined; authorization: string | undefined }[] = [];
    const proxy: Server = createServer().listen(0, '127.0.0.1');
    proxy.on('connect', ({ url, headers }, client) => {
      asked.push({ target: url, authorization: headers['proxy-authorization'] });
      if (refuse) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const server = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        server.pipe(client).pipe(server);
      });
      server.on('error', () => client.destroy());
      client.on('error', () => server.destroy());
    });
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    return { asked, address: `127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  }

  const host = 'panels.example.org';
  const certificate = selfSigned({
    host,
    from: new Date('2020-01-01T00:00:00Z'),
    until: new Date('2049-12-31T00:00:00Z'),
  });

  function trust(): void {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  /** Sends one request to the server under the made-up host name. */
  async function send(proxyAddress: string, options: { readonly refuse?: boolean } = {}) {
    const server = await serveSecurely(certificate, page());
    const port = Number(new URL(server.url).port);
    const proxy = await startProxy(port, options);
    vi.stubEnv('HTTPS_PROXY', proxyAddress.replace('PROXY', proxy.address));
    const base = new URL(`https://${host}:${port}/api/v1/`);
    const traffic = { requests: 0, throttled: 0, bytes: 0 };
    const attempts = createAttempts({
      base,
      errors: catalogueErrors,
      clock,
      log: silentLog,
      limits: defaultLimits,
      connections: 1,
      deadline: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
      traffic,
    });
    onTestFinished(() => attempts.close());
    const outcome = await attempts
      .send({ path: 'activities/' }, new URL('activities/', base), {})
      .catch((error: unknown) => error);
    return { outcome, asked: proxy.asked, port };
  }

  test('reaches the server, whose certificate is checked', async () => {
    trust();
    const { outcome, asked, port } = await send('http://PROXY');
    expect(outcome).toMatchObject({ status: 200 });
    expect(asked).toEqual([{ target: `${host}:${port}`, authorization: undefined }]);
  });

  test('fails where the certificate is not trusted', async () => {
    const { outcome } = await send('http://PROXY');
    expect(outcome).toMatchObject({ code: 'CATALOGUE_CERTIFICATE_REFUSED' });
  });

  test('carries the proxy’s user and password', async () => {
    trust();
    const { asked } = await send('http://user:p%40ss@PROXY');
    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  });

  test('names the proxy that refuses', async () => {
    const { outcome } = await send('http://PROXY', { refuse: true });
    expect(outcome).toMatchObject({
      code: 'CATALOGUE_PROXY_FAILED',
      message: expect.stringContaining('the proxy of HTTPS_PROXY refuses to connect to it (HTTP 403)'),
      transient: true,
    });
  });

  test('names the proxy that cannot be reached', async () => {
    const { outcome } = await send('http://user:pass-word@127.0.0.1:1');
    expect(outcome).toMatchObject({
      code: 'CATALOGUE_PROXY_FAILED',
      message: expect.stringContaining('the proxy of HTTPS_PROXY cannot be reached (ECONNREFUSED)'),
      transient: true,
    });
    expect(inspect(outcome)).not.toContain('pass-word');
  });

  test('is not sent where the address of the proxy is unusable, which may hold a password', async () => {
    const error = await send('socks5://user:pass-word@PROXY').catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'CATALOGUE_PROXY_FAILED',
      message: expect.stringContaining('Reading HTTPS_PROXY: its value (not shown) is not the address'),
      transient: false,
    });
    expect(inspect(error)).not.toContain('pass-word');
  });

  test('takes a password with a percent sign that encodes nothing as it is', async () => {
    trust();
    const { asked } = await send('http://user:100%@PROXY');
    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('user:100%').toString('base64')}`);
  });
});
