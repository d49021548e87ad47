import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  type GoogleChatMessage,
  googleChatMessage,
  googleChatText,
} from '../../lambdas/channels/google-chat.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { eventOf, london, turnedGreen } from '../words/events.ts';
import { openChannel, secretsOf } from './open-channels.ts';

const notice = noticeOfPanel([turnedGreen()], london);

/** The texts of a card, one after the other. */
const textOf = ({ cardsV2: [{ card }] }: GoogleChatMessage): string =>
  card.sections[0].widgets
    .map((widget) => ('textParagraph' in widget ? widget.textParagraph.text : ''))
    .join('\n');

test('a message for Google Chat has a heading, the change, a button and its thread', () => {
  const message = googleChatMessage(notice);
  expect(message.fallbackText).toBe(
    'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
  );
  expect(textOf(message)).toContain(
    '<b>BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)</b>',
  );
  expect(textOf(message)).toContain('<b>BRCA1</b> 🟠 amber → 🟢 green');
  expect(JSON.stringify(message)).toContain('"url":"https://panelapp.genomicsengland.co.uk/panels/635/');
  expect(message.thread.threadKey).toBe('uk.panel.635');
});

test.each([
  ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
  ['<users/all>', '&lt;users/all&gt;'],
  ['@all', '@\u2060all'],
  ['&lt;', '&amp;lt;'],
  ['https://evil.example', 'https\u2060://evil.example'],
  ['www.evil.example', 'www\u2060.evil.example'],
])('%j stays text in a card', (text, escaped) => {
  expect(googleChatText(text)).toBe(escaped);
});

test.each(['x', '<', '"', '🧬'])('a long message of %j fits, and says what it leaves out', (character) => {
  const [first = turnedGreen(), ...others] = Array.from({ length: 60 }, (_, place) =>
    eventOf(
      'entity.commented',
      { comment: character.repeat(3_000), action: 'added' },
      { gene: `GENE${place}` },
    ),
  );
  const message = googleChatMessage(noticeOfPanel([first, ...others], london));
  expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(32_000);
  expect(textOf(message)).toMatch(/More changes than fit here\.|and \d+ more/);
});

test('a message goes to the address of the webhook, as a reply in its thread', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/spaces/AAAA/messages?key=k&token=t%3D`;
  const channel = { kind: 'google-chat', webhook: 'lab', privacy: everythingKept } as const;
  await openChannel(channel, { secrets: secretsOf({ lab: url }) }).send({
    id: 'a1b2',
    subscription: 'green-genes',
    notice,
    event: null,
    at: london.now,
  });
  expect(asked).toStrictEqual([
    '/v1/spaces/AAAA/messages?key=k&token=t%3D&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD&requestId=a1b2',
  ]);
});
