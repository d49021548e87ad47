import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type JsonPost, postJson, WebhookError } from '../../../lambdas/catalogue/http/post-json.ts';
import { createTestClock, noon } from '../../run/test-clock.ts';
import { recordedLog } from './fixtures/log.ts';
import { json, status } from './fixtures/responses.ts';
import { closedPort, type Handler, serve, serveRaw } from './fixtures/server.ts';

const secretPath = '/services/T0CANARY/B0CANARY/canaryCANARYcanary?sig=canary%2Fsignature&sv=1.0';
const receiver = 'the Slack webhook of "green genes"';

/** Posts to a server on this machine; its handlers answer in turn. */
async function posted(handlers: readonly Handler[], more: Partial<JsonPost> = {}) {
  const served = await serve(...handlers);
  return { ...served, ...post({ address: `${served.url}${secretPath}`, ...more }) };
}

function post(more: Partial<JsonPost> & { readonly address: string }) {
  const clock = createTestClock({ random: () => 0.5 });
  const log = recordedLog();
  return { clock, log, outcome: () => postJson({ receiver, json: '{"text":"é"}', clock, log, ...more }) };
}

/** The error, after a check that neither it nor the log shows a part of the address or of the message. */
async function refusal({ outcome, log }: Pick<ReturnType<typeof post>, 'outcome' | 'log'>) {
  const error: unknown = await outcome().catch((thrown: unknown) => thrown);
  if (!(error instanceof WebhookError)) throw new Error('expected a WebhookError', { cause: error });
  const causes = [error.cause, error.cause instanceof Error ? error.cause.cause : null];
  const shown = [error.message, error.stack, JSON.stringify(error), JSON.stringify(log.lines), ...causes];
  expect(shown.join()).not.toMatch(/canary|127\.0\.0\.1|text|é/i);
  expect(error.message).toContain(receiver);
  return error;
}

const text =
  (code: number, body: string, headers: Record<string, string> = {}): Handler =>
  (response) =>
    void response.writeHead(code, headers).end(body);

test('the text is posted byte for byte, with the headers given', async () => {
  const body = '{ "b": 1.0,\n"a": "é" }';
  const signature = createHmac('sha256', 'key').update(body).digest('base64');
  const { outcome, requests, headers, bodies } = await posted([text(200, 'ok')], {
    json: body,
    headers: { 'webhook-signature': `v1,${signature}` },
  });
  expect(await outcome()).toEqual({ status: 200, body: 'ok' });
  expect(requests).toEqual([`POST ${secretPath}`]);
  expect(bodies).toEqual([body]);
  expect(headers[0]).toMatchObject({
    'content-type': 'application/json',
    'webhook-signature': `v1,${signature}`,
  });
});

test('any status from 200 to 299 is a success', async () => {
  const { outcome } = await posted([text(202, '')]);
  expect(await outcome()).toEqual({ status: 202, body: '' });
});

test.each([500, 503, 429])('HTTP %i is retried', async (code) => {
  const { outcome, requests, clock, log } = await posted([status(code), status(code), text(200, 'ok')]);
  expect(await outcome()).toEqual({ status: 200, body: 'ok' });
  expect(requests).toHaveLength(3);
  expect(clock.sleeps).toEqual([500, 1000]);
  expect(log.lines).toMatchObject([{ fields: { service: receiver } }, { fields: { service: receiver } }]);
  expect(JSON.stringify(log.lines)).not.toMatch(/canary|127\.0\.0\.1/i);
});

test('a short Retry-After is waited for', async () => {
  const { outcome, clock } = await posted([status(429, { 'retry-after': '3' }), text(200, 'ok')]);
  expect(await outcome()).toEqual({ status: 200, body: 'ok' });
  expect(clock.sleeps).toEqual([3000]);
});

test('a long Retry-After ends at once and says until when', async () => {
  const setup = await posted([status(429, { 'retry-after': '30' })]);
  const error = await refusal(setup);
  expect([error.code, error.status, error.notBefore]).toEqual(['WEBHOOK_NOT_BEFORE', 429, noon + 30_000]);
  expect(setup.requests).toHaveLength(1);
});

test.each([
  [400, 'invalid_payload'],
  [403, 'action_prohibited'],
  [404, 'no_service'],
  [410, 'channel_is_archived'],
])('HTTP %i is final and shows the reason that the receiver gives', async (code, reason) => {
  const setup = await posted([text(code, reason)]);
  const error = await refusal(setup);
  expect([error.code, error.status]).toEqual(['WEBHOOK_REQUEST_REFUSED', code]);
  expect(error.message).toContain(`HTTP ${code}, "${reason}"`);
  expect(setup.requests).toHaveLength(1);
});

test('of a long response body only the beginning is given, and no line break is printed', async () => {
  const error = await refusal(await posted([text(400, `first\n${'x'.repeat(5000)}`)]));
  expect(error.message).toContain('"first\\nxxx');
  expect(error.message.length).toBeLessThan(500);
});

test('a response that repeats the address is shown without it', async () => {
  const echo = `Cannot POST ${secretPath} at 127.0.0.1 (canary/signature)`;
  const error = await refusal(await posted([text(404, echo)]));
  expect(error.message).toContain('Cannot POST ');
});

test('a redirect is refused without showing where it leads', async () => {
  const error = await refusal(await posted([text(302, '', { location: 'https://canary.example/' })]));
  expect(error.code).toBe('WEBHOOK_REDIRECTED');
});

test('a connection that is refused or lost shows no address', async () => {
  const port = await closedPort();
  const nobody = post({ address: `http://127.0.0.1:${port}/canary` });
  expect((await refusal(nobody)).code).toBe('WEBHOOK_CONNECTION_REFUSED');
  const { url } = await serveRaw((socket) => socket.on('data', () => socket.resetAndDestroy()));
  expect((await refusal(post({ address: `${url}/canary` }))).code).toBe('WEBHOOK_CONNECTION_LOST');
});

test.each<[string, Handler]>([
  ['larger than the limit', json({ padding: 'x'.repeat(70_000) })],
  ['in an encoding that was not offered', text(200, 'ok', { 'content-encoding': 'br' })],
  ['that claims to be gzip', text(200, 'ok', { 'content-encoding': 'gzip' })],
  [
    'that ends before its announced length',
    (response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('ok');
      setImmediate(() => response.destroy());
    },
  ],
])('a status of success counts also with a body %s', async (_title, handler) => {
  const { outcome, requests } = await posted([handler]);
  expect(await outcome()).toMatchObject({ status: 200 });
  expect(requests).toHaveLength(1);
});

test('a refusal that is larger than the limit is refused', async () => {
  const error = await refusal(await posted([text(400, 'x'.repeat(70_000))]));
  expect(error.code).toBe('WEBHOOK_TOO_LARGE');
});

test('once aborted, the reason is thrown', async () => {
  const reason = new Error('stopped');
  const { outcome, requests } = await posted([text(200, 'ok')], { signal: AbortSignal.abort(reason) });
  await expect(outcome()).rejects.toBe(reason);
  expect(requests).toEqual([]);
});

test.each([
  ['no URL', 'hooks.slack.com/services/canary'],
  ['http to another machine', 'http://hooks.slack.com/services/canary'],
  ['another scheme', 'ftp://hooks.slack.com/services/canary'],
  ['a password', 'https://user:canary@hooks.slack.com/services/x'],
])('%s is refused and not shown', async (_, address) => {
  const error = await refusal(post({ address }));
  expect(error.code).toBe('WEBHOOK_ADDRESS_WRONG');
  expect(error.message).not.toContain('slack.com');
});
