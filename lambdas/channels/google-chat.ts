import { cutAtWord } from '../words/clean-text.ts';
import { htmlText } from '../words/html-page.ts';
import type { Notice } from '../words/notice.ts';
import { shortText } from '../words/phrase.ts';
import { type LineMarkup, messageLines, TITLE, WORD_JOINER, withoutAddresses } from './message-lines.ts';
import { chatByWebhook } from './post.ts';

/**
 * Text for a card of Google Chat, which reads a few HTML tags. An invisible word joiner takes mentions and addresses apart,
 * which are no markup.
 */
export const googleChatText = (text: string): string =>
  withoutAddresses(text.replaceAll('@', `@${WORD_JOINER}`))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** A message holds 32,000 bytes with its card. */
const BYTES = 30_000;
/** Characters with which every message fits. */
const SHORTEST = 3_000;

const tags: LineMarkup = {
  text: googleChatText,
  heading: (line) => `<b>${line}</b>`,
  bold: (text) => `<b>${text}</b>`,
  link: (text, address) => `<a href="${htmlText(address)}">${text}</a>`,
  quote: (line) => `<i>${line}</i>`,
  item: (line) => `• ${line}`,
  fact: (line) => line,
  belowItem: '\n   ',
  rows: 40,
  names: 3_500,
};

/** The message for Google Chat: one card with a text, buttons and the footer. */
export function googleChatMessage(notice: Notice): GoogleChatMessage {
  // A character takes one byte or more, so the number of characters is found by trying.
  for (let longest = BYTES; ; longest *= 0.8) {
    const message = messageWith(messageLines(notice, tags, longest), notice);
    if (longest < SHORTEST || Buffer.byteLength(JSON.stringify(message)) <= BYTES) return message;
  }
}

/** What Google Chat takes: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages */
export type GoogleChatMessage = ReturnType<typeof messageWith>;

function messageWith(lines: readonly string[], { headline, links, footer, thread }: Notice) {
  const buttons = links.map(({ button, address }) => ({
    text: button,
    onClick: { openLink: { url: address } },
  }));
  const below = footer.map((line) => googleChatText(cutAtWord(line, 250))).join(' ');
  /** Text with a few tags: https://developers.google.com/workspace/chat/format-messages#card-formatting */
  const paragraph = (text: string) => ({ textParagraph: { text } });
  const widgets = [
    paragraph(lines.join('\n').replaceAll('\n', '<br>')),
    ...(buttons.length > 0 ? [{ buttonList: { buttons } }] : []),
    ...(below === '' ? [] : [paragraph(`<font color="#5f6368">${below}</font>`)]),
  ];
  return {
    // For notifications.
    fallbackText: shortText(headline, TITLE),
    cardsV2: [{ cardId: 'message', card: { sections: [{ widgets }] } }],
    // The messages with the same key make a thread.
    thread: { threadKey: thread.id },
  } as const;
}

/**
 * Google Chat by an incoming webhook, with one thread for each panel. All programs together may post 60 messages a minute to
 * a space: https://developers.google.com/workspace/chat/limits
 */
export const googleChat = chatByWebhook({
  kind: 'google-chat',
  title: 'Google Chat',
  setUp:
    'In the space: *Apps & integrations → Webhooks → Add webhook*, copy the address into the secret. Threads by panel.',
  pauseMs: 1_100,
  // Google's API drops a repeat by `requestId`. It does not say whether a webhook does.
  query: (requestId) => ({ messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD', requestId }),
  render: googleChatMessage,
});
