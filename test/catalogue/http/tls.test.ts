import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Identity, selfSigned } from '../../../sandbox/http.ts';
import { failure, open } from './fixtures/opened.ts';
import { page } from './fixtures/responses.ts';
import { closedPort, serve, serveRaw, serveSecurely } from './fixtures/server.ts';

const valid: Identity = {
  host: 'localhost',
  from: new Date('2020-01-01T00:00:00Z'),
  until: new Date('2049-12-31T00:00:00Z'),
};

/** Makes a certificate an authority until the test ends. */
function trust(cert: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  onTestFinished(() => setDefaultCACertificates(before));
}

test('a valid certificate of a trusted authority is accepted', async () => {
  const certificate = selfSigned(valid);
  trust(certificate.cert);
  const { url } = await serveSecurely(certificate, page());
  expect(await open(url).catalogue.activities(1)).toMatchObject({ count: 1 });
});

test.each([
  ['self-signed', valid, false, 'self-signed'],
  ['expired', { ...valid, until: new Date('2021-01-01T00:00:00Z') }, true, 'has expired'],
  ['not valid yet', { ...valid, from: new Date('2049-01-01T00:00:00Z') }, true, 'not valid yet'],
  ['for another host', { ...valid, host: 'elsewhere.example.org' }, true, 'for another host name'],
])(
  'a certificate that is %s is refused with the reason, without a retry',
  async (_, identity, trusted, reason) => {
    const certificate = selfSigned(identity);
    if (trusted) trust(certificate.cert);
    const { url, requests } = await serveSecurely(certificate, page());
    const { catalogue, clock } = open(url);

    const error = await failure(catalogue.activities(1));

    expect(error.code).toBe('CATALOGUE_CERTIFICATE_REFUSED');
    expect(error.message).toContain(reason);
    expect(clock.sleeps).toEqual([]);
    expect(requests).toEqual([]);
  },
);

test('the environment cannot switch the check off', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    warned.mockRestore();
  });
  const { url, requests } = await serveSecurely(selfSigned(valid), page());
  expect((await failure(open(url).catalogue.activities(1))).code).toBe('CATALOGUE_CERTIFICATE_REFUSED');
  expect(requests).toEqual([]);
});

test('https to an http server is explained', async () => {
  const { port } = await serve(page());
  const error = await failure(open(`https://127.0.0.1:${port}`).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_NOT_HTTP');
  expect(error.message).toContain('http against https');
});

test('a server that never completes the TLS handshake is given up', async () => {
  const { port } = await serveRaw(() => {});
  const limits = { connectMs: 50, retries: 0 };
  const error = await failure(open(`https://127.0.0.1:${port}`, { limits }).catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_TIMED_OUT');
  expect(error.message).toContain('the connection was not made in time');
});

test('a closed port is explained, after the retries', async () => {
  const port = await closedPort();
  const { catalogue, clock } = open(`http://127.0.0.1:${port}`);
  const error = await failure(catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_CONNECTION_REFUSED');
  expect(error.message).toContain(`http://127.0.0.1:${port}/api/v1/activities/`);
  expect(clock.sleeps).toHaveLength(3);
});

test('an unknown host name is explained', async () => {
  const error = await failure(open('http://no-such-host.invalid').catalogue.activities(1));
  expect(error.code).toBe('CATALOGUE_HOST_UNKNOWN');
  expect(error.message).toContain('no-such-host.invalid');
  expect(error.message).toContain('Check the host name');
});
