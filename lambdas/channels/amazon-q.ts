import { cutAtWord } from '../words/clean-text.ts';
import type { Notice } from '../words/notice.ts';
import { ratingEmoji, shortText } from '../words/phrase.ts';
import { type ChannelType, jsonFile, notFromHere } from './channel.ts';
import { type LineMarkup, messageLines, TITLE, WORD_JOINER, withoutAddresses } from './message-lines.ts';

const DESCRIPTION = 3_000;

/**
 * Text for Amazon Q's `client-markdown`, which is Slack's markup in Slack and Markdown in Teams. They share no escape
 * character. So angle brackets become characters that look alike, and an invisible word joiner precedes each character
 * that begins markup in either.
 */
function chatMarkdown(text: string): string {
  const escaped = text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/[*_~`[\]()#@|!\\]|^[-+=]/gm, `${WORD_JOINER}$&`)
    .replace(/:(?=[\w+-]+:)/g, `:${WORD_JOINER}`);
  return withoutAddresses(escaped);
}

const markup: LineMarkup = {
  text: chatMarkdown,
  heading: (line) => line,
  bold: (text) => `*${text}*`,
  // Slack and Teams share no markup for links; the message has the addresses at its end.
  link: (text) => text,
  quote: (line) => `“${line}”`,
  item: (line) => line,
  fact: (line) => line,
  belowItem: '\n',
  rows: 25,
  names: 1_500,
};

/**
 * The message for Amazon Q, which drops every message of another form. Messages about one panel share a thread.
 * https://docs.aws.amazon.com/chatbot/latest/adminguide/custom-notifs.html
 */
export function amazonQMessage(notice: Notice, { id }: { readonly id: string }) {
  const colour = notice.tone in ratingEmoji ? `${ratingEmoji[notice.tone as keyof typeof ratingEmoji]} ` : '';
  const title = chatMarkdown(shortText(notice.headline, TITLE));
  const links = notice.links.map(({ label, address }) => `${label}: ${address}`).join('\n');
  // The heading is the title.
  const [heading = '', ...lines] = messageLines(notice, markup, DESCRIPTION - links.length - 2);
  const text = lines.join('\n').trim();
  return {
    version: '1.0',
    source: 'custom',
    id,
    content: {
      textType: 'client-markdown',
      title: `${colour}${title}`,
      description: [text || heading, links].filter(Boolean).join('\n\n'),
      keywords: [cutAtWord(chatMarkdown(notice.thread.title), 100)],
    },
    metadata: { threadId: notice.thread.id, summary: title, eventType: 'gene-panel-change' },
  };
}

/** Amazon Q Developer in chat applications, which listens to a topic of its own. */
export const amazonQ: ChannelType<'amazon-q'> = {
  kind: 'amazon-q',
  title: 'Amazon Q in chat',
  setUp:
    'Let the chat channel listen to the topic: the output `TopicChat`, followed by the name of the subscription. Threads by panel.',
  pauseMs: 1_000,
  dropsRepeats: false,
  afterTrial: 'SNS took it. It appears once a chat channel listens to the topic.',
  preview: ({ notice, id }) => [jsonFile(amazonQMessage(notice, { id }))],
  async send({ id, subscription, notice }, { context: { publish }, signal }) {
    if (!publish) throw notFromHere('amazon-q');
    const text = JSON.stringify(amazonQMessage(notice, { id }));
    return publish({ topic: 'chat', subscription, text }, { signal });
  },
};
