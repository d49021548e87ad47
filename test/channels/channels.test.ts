import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ListSubscriptionsByTopicCommand } from '@aws-sdk/client-sns';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import { channelSecrets } from '../../lambdas/channels/channel-secrets.ts';
import type { Channel } from '../../lambdas/channels/channel-settings.ts';
import { publishToTopics } from '../../lambdas/notify/mail-addresses.ts';
import { addressKey } from '../../lambdas/notify/subscription.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { jsonLog } from '../../lambdas/run/log.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { london, turnedGreen } from '../words/events.ts';
import { openChannel, secretsOf } from './open-channels.ts';

const event = turnedGreen();
const message: Outgoing = {
  id: 'a1b2',
  subscription: 'green-genes',
  notice: noticeOfPanel([event], { ...london, reason: 'You receive this because of a test.' }),
  event,
  at: '2026-11-21T09:15:00.000Z',
};
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Request {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function receiver(status = 200): Promise<{ readonly url: string; readonly requests: Request[] }> {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end('done');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/services/T000/B000/very-secret-part`, requests };
}

const lines: string[] = [];
const log = jsonLog((line) => void lines.push(line), clock.now);

describe('webhooks', () => {
  const key = `whsec_${Buffer.from('a key of the tests, of 32 bytes.').toString('base64')}`;

  test.each([
    ['slack', (body: { blocks: { type: string }[] }) => body.blocks[0]?.type, 'header'],
    [
      'teams',
      (body: { attachments: { content: { type: string } }[] }) => body.attachments[0]?.content.type,
      'AdaptiveCard',
    ],
    [
      'mattermost',
      (body: { attachments: { fallback: string }[] }) => body.attachments[0]?.fallback,
      'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    ],
  ] as const)('%s gets one message of its own form', async (kind, typeOf, type) => {
    const { url, requests } = await receiver();
    const channel: Channel = { kind, webhook: 'lab', privacy: everythingKept };
    await openChannel(channel, { secrets: secretsOf({ lab: url }), log }).send(message);
    expect(requests).toHaveLength(1);
    expect(typeOf(JSON.parse(requests[0]?.body ?? ''))).toBe(type);
  });

  test('a program gets the event, signed', async () => {
    const { url, requests } = await receiver();
    const channel: Channel = { kind: 'webhook', webhook: 'lab', privacy: everythingKept };
    await openChannel(channel, { secrets: secretsOf({ lab: { url, key } }), log }).send(message);
    const [{ headers, body } = { headers: {}, body: '' }] = requests;
    expect(new Webhook(key).verify(body, headers as Record<string, string>)).toStrictEqual(event);
    expect(headers['webhook-id']).toBe('a1b2');
  });

  test('that refuse are asked once, and neither the error nor a log line shows their address', async () => {
    const { url, requests } = await receiver(500);
    const channel: Channel = { kind: 'slack', webhook: 'lab', privacy: everythingKept };
    const sent = openChannel(channel, { secrets: secretsOf({ lab: url }), log }).send(message);
    const error: unknown = await sent.catch((thrown: unknown) => thrown);
    expect(requests).toHaveLength(1);
    expect(String(error)).toContain('"lab"');
    log.error('failed', { error });
    expect(String(error) + lines.join('\n')).not.toMatch(/very-secret|T000|127\.0\.0\.1/);
  });
});

describe('a mail server that goes on answering', () => {
  test.each([
    ['after EHLO', /^EHLO/],
    ['after the mail', /^\.$/],
  ])('%s ends with its delivery', async (_title, line) => {
    const stop = new AbortController();
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 mail.example.org\r\n');
      const lines = createInterface(socket).on('error', () => {});
      lines.on('line', (text) => {
        if (line.test(text)) {
          socket.write('250-WAIT\r\n');
          stop.abort(new Error('no time left'));
        } else if (text.startsWith('DATA')) socket.write('354 go on\r\n');
        else if (/^(?:EHLO|MAIL|RCPT)/.test(text)) socket.write('250 ok\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => void server.close());
    const relay = {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      security: 'none',
      from: 'panels@example.org',
    } as const;
    const channel: Channel = { kind: 'smtp', to: ['lab@example.org'], privacy: everythingKept };
    await expect(openChannel(channel, { relay }).send(message, stop.signal)).rejects.toThrow(
      'it did not take the mail in the time of one delivery',
    );
  });
});

describe('the secret of the channels', () => {
  const canary = 'canary-of-a-key';
  test.each([
    ['no prefix', Buffer.alloc(32, 1).toString('base64')],
    ['too short a key', `whsec_${Buffer.from(canary).toString('base64')}`],
    ['a key of other characters', `whsec_${canary} ${canary}`],
    ['an empty key', 'whsec_'],
  ])('names a signing key that cannot be used: %s', async (_title, unusable) => {
    const secrets = secretsOf({ pipeline: { url: 'https://hooks.example/x', key: unusable } });
    const error: unknown = await secrets.webhook('pipeline').catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/"pipeline".*not a signing key\. Expected "whsec_" and 24 to 64 bytes/);
    expect(String(error)).not.toMatch(/canary|hooks\.example|AQEB/);
  });

  const secret = 'https://hooks.example/secret';
  test.each([
    [
      'has no such entry',
      JSON.stringify({ other: secret }),
      /"lab".*it is missing.*put it into the JSON object/s,
    ],
    ['has another form', JSON.stringify({ lab: { address: secret } }), /it has another form/],
    ['is no JSON', `{"lab": ${secret}`, /is not a JSON object/],
  ])('says that it %s, and shows nothing of itself', async (_title, value, expected) => {
    const secrets = channelSecrets({ name: 'the secret', read: async () => value });
    const error: unknown = await secrets.webhook('lab').catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(expected);
    expect(String(error)).not.toContain('hooks.example');
  });
});

describe('mail by SMTP', () => {
  async function mailServer(refuse = false) {
    const mails: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        text(stream).then((mail) => {
          if (refuse)
            return done(Object.assign(new Error('mailbox of very-secret full'), { responseCode: 552 }));
          mails.push(mail);
          return done();
        }, done);
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    closing.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as AddressInfo;
    const relay = {
      host: '127.0.0.1',
      port,
      security: 'none',
      from: 'Gene panels <panels@example.org>',
    } as const;
    return { mails, sender: openChannel(channel, { relay }) };
  }
  const channel: Channel = {
    kind: 'smtp',
    to: ['lab@example.org', 'b@example.org'],
    privacy: everythingKept,
  };

  test('has both parts, a thread for the panel, and a way to unsubscribe', async () => {
    const { mails, sender } = await mailServer();
    await sender.send(message);
    const mail = await PostalMime.parse(mails[0] ?? '');
    expect(mail.subject).toBe('BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)');
    expect(mail.text).toContain('BRCA1: amber → green');
    expect(mail.html).toContain('<span class="pill green">green</span>');
    expect(mail.attachments).toStrictEqual([]);
    expect(mail.messageId).toBe('<a1b2@example.org>');
    expect(mail.references).toBe('<uk.panel.635@example.org>');
    const headers = new Map(mail.headers.map(({ key: name, value }) => [name, value]));
    expect(headers.get('list-unsubscribe')).toBe(
      '<mailto:panels@example.org?subject=unsubscribe%20green-genes>',
    );
    expect(headers.get('auto-submitted')).toBe('auto-generated');
  });

  test('keeps hostile names out of its headers', async () => {
    const { mails, sender } = await mailServer();
    const hostile = turnedGreen({ gene: 'X\r\nBcc: evil@example.org\r\n\r\nbody' });
    await sender.send({ ...message, notice: noticeOfPanel([hostile], london) });
    const mail = await PostalMime.parse(mails[0] ?? '');
    expect(mail.bcc).toBeUndefined();
    expect(mail.to?.map(({ address }) => address)).toStrictEqual(['lab@example.org', 'b@example.org']);
    expect(mail.subject).toContain('X Bcc: evil@example.org body is now green');
  });

  test('to a server that is not there fails, and says so', async () => {
    const relay = { host: '127.0.0.1', port: 1, security: 'none', from: 'panels@example.org' } as const;
    const sender = openChannel(channel, { relay });
    await expect(sender.send(message)).rejects.toThrow('nothing accepts connections there');
  });

  test('that the server refuses fails with what it answered', async () => {
    const { sender } = await mailServer(true);
    await expect(sender.send(message)).rejects.toThrow(
      /Sending mail through 127.0.0.1:\d+: it answered "552/,
    );
  });
});

describe('topics of SNS', () => {
  const published: unknown[] = [];
  const Subscriptions = [{ Protocol: 'email', Endpoint: 'A@example.org', SubscriptionArn: 'arn:1' }];
  const sns = {
    send: async (command: { input: unknown }) =>
      command instanceof ListSubscriptionsByTopicCommand
        ? { Subscriptions }
        : { MessageId: `message-${published.push(command.input)}` },
  };

  test('get mail with a subject, and Amazon Q’s own form', async () => {
    const publish = publishToTopics({ sns: sns as never, prefix: 'arn:' });
    const privacy = everythingKept;
    const mail = openChannel({ kind: 'email', to: 'a@example.org', privacy }, { publish });
    // What the receiver answered is listed with what was sent.
    expect(await mail.send(message)).toBe('SNS message message-1');
    await openChannel({ kind: 'amazon-q', privacy }, { publish }).send(message);
    expect(published).toMatchObject([
      {
        TopicArn: 'arn:mail-green-genes',
        Subject: 'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
        MessageAttributes: { address: { DataType: 'String', StringValue: addressKey('A@example.org') } },
      },
      { Message: expect.stringContaining('"threadId":"uk.panel.635"') },
    ]);
  });
});

test('a feed holds a message once, however often it is sent', async () => {
  const written: string[] = [];
  const channel: Channel = { kind: 'atom', privacy: everythingKept };
  const sender = openChannel(channel, { writeFeed: async (_name, xml) => void written.push(xml) });
  await sender.send(message);
  await sender.send({ ...message, id: 'c3d4' });
  await sender.send(message);
  expect(written.at(-1)?.match(/<entry>/g)).toHaveLength(2);
  expect(written.at(-1)).toContain('urn:gene-panel-notifier:message:a1b2');
});
