import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { Channel } from '../../lambdas/channels/channel-settings.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { london, turnedGreen } from '../words/events.ts';
import { openChannel, secretsOf } from './open-channels.ts';

const event = turnedGreen();
const message: Outgoing = {
  id: 'a1b2',
  subscription: 'green-genes',
  notice: noticeOfPanel([event], london),
  event,
  at: '2026-11-21T09:15:00.000Z',
};
const token = 'xoxb-very-secret-token';

interface Posted {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (
  body: Posted['body'],
  place: number,
) => { readonly status?: number; readonly json: object | string };

/** A service on this machine that answers each message. */
async function service(answer: Answer): Promise<{ readonly url: string; readonly posted: Posted[] }> {
  const posted: Posted[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = JSON.parse(await text(request)) as Posted['body'];
    posted.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    const { status = 200, json } = answer(body, posted.length);
    response.writeHead(status).end(typeof json === 'string' ? json : JSON.stringify(json));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`, posted };
}

const slack: Channel = { kind: 'slack-bot', bot: 'lab', channel: 'C0123456789', privacy: everythingKept };
const room = 'Y2lzY29zcGFyazovL3VzL1JPT00v';
const webex: Channel = { kind: 'webex', bot: 'lab', room, privacy: everythingKept };
const open = (channel: Channel, url: string) =>
  openChannel(channel, { secrets: secretsOf({ lab: { token, url } }) });

describe('a Slack bot', () => {
  test('keeps the messages about one panel in one thread', async () => {
    const { url, posted } = await service((_body, place) => ({ json: { ok: true, ts: `17.${place}` } }));
    const { send } = open(slack, url);
    for (const id of ['a', 'b', 'c']) await send({ ...message, id });
    expect(posted.map(({ body }) => body.thread_ts)).toStrictEqual([undefined, '17.1', '17.1']);
    expect(posted[1]?.body).toMatchObject({ channel: 'C0123456789', reply_broadcast: true });
    expect(posted[0]).toMatchObject({ path: '/api/chat.postMessage', authorization: `Bearer ${token}` });
  });

  test('begins a new thread where the first message was deleted', async () => {
    const { url, posted } = await service((body, place) => ({
      json:
        body.thread_ts === '17.1'
          ? { ok: false, error: 'thread_not_found' }
          : { ok: true, ts: `17.${place}` },
    }));
    const { send } = open(slack, url);
    for (const id of ['a', 'b', 'c']) await send({ ...message, id });
    expect(posted.map(({ body }) => body.thread_ts)).toStrictEqual([undefined, '17.1', undefined, '17.3']);
  });

  test('that is refused with the status 200 has not sent its message, and names the reason', async () => {
    const { url } = await service(() => ({ json: { ok: false, error: 'not_in_channel' } }));
    const error: unknown = await open(slack, url)
      .send(message)
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/Slack answered "not_in_channel"/);
    expect(String(error)).not.toMatch(/very-secret|127\.0\.0\.1/);
  });

  test('has sent its message where the answer cannot be read', async () => {
    const { url, posted } = await service(() => ({ json: '<html>' }));
    await open(slack, url).send(message);
    expect(posted).toHaveLength(1);
  });
});

describe('a Webex bot', () => {
  test('posts a card, and replies to the first message about the panel', async () => {
    const { url, posted } = await service((_body, place) => ({ json: { id: `message-${place}` } }));
    const { send } = open(webex, url);
    for (const id of ['a', 'b']) await send({ ...message, id });
    expect(posted.map(({ body }) => body.parentId)).toStrictEqual([undefined, 'message-1']);
    expect(posted[0]).toMatchObject({
      path: '/api/messages',
      authorization: `Bearer ${token}`,
      body: {
        roomId: room,
        text: 'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
        attachments: [{ content: { type: 'AdaptiveCard', version: '1.3' } }],
      },
    });
    // A key of Teams, which no schema of Webex has.
    expect(JSON.stringify(posted[0])).not.toContain('msteams');
  });

  test('begins a new thread where the reply is refused', async () => {
    const { url, posted } = await service((body, place) =>
      body.parentId === 'message-1'
        ? { status: 404, json: { message: `no such parent; your token is ${token}` } }
        : { json: { id: `message-${place}` } },
    );
    const { send } = open(webex, url);
    for (const id of ['a', 'b', 'c']) await send({ ...message, id });
    expect(posted.at(-1)?.body.parentId).toBe('message-3');
  });
});
