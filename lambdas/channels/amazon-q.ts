import { cutAtWord } from '../words/clean-text.ts';
import { compactNotice, restOfRows } from '../words/mail-text.ts';
import type { Block, Notice, Part, Row } from '../words/notice.ts';
import {
  colouredRating,
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  ratingEmoji,
  renderPhrase,
  shortText,
} from '../words/phrase.ts';
import { type ChannelType, jsonFile, notFromHere } from './channel.ts';
import { WORD_JOINER, withoutAddresses } from './message-lines.ts';

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

/**
 * A custom notification of Amazon Q Developer in chat applications, which drops every message of another form:
 * https://docs.aws.amazon.com/chatbot/latest/adminguide/custom-notifs.html
 */
interface AmazonQMessage {
  readonly version: '1.0';
  readonly source: 'custom';
  readonly id: string;
  readonly content: {
    readonly textType: 'client-markdown';
    readonly title: string;
    readonly description: string;
    readonly keywords: readonly string[];
  };
  readonly metadata: {
    readonly threadId: string;
    readonly summary: string;
    readonly eventType: string;
  };
}

const TITLE = 200;
const DESCRIPTION = 3_000;
const QUOTE = 500;
/** Rows of one panel in one group; further ones are named. */
const ROWS = 25;
/** Characters of their names. */
const NAMES = 1_500;

/** The message for Amazon Q. Messages about one panel share a thread. */
export function amazonQMessage(notice: Notice, { id }: { readonly id: string }): AmazonQMessage {
  const colour = notice.tone in ratingEmoji ? `${ratingEmoji[notice.tone as keyof typeof ratingEmoji]} ` : '';
  const title = shortText(notice.headline, TITLE);
  const linesIn = ({ blocks, links }: Notice): readonly string[] => [
    ...blocks.flatMap(linesOf),
    ...links.map(({ label, address }) => `${label}: ${address}`),
  ];
  const whole = linesIn(notice);
  const lines = whole.join('\n').length < DESCRIPTION - 30 ? whole : linesIn(compactNotice(notice));
  const kept: string[] = [];
  let left = DESCRIPTION;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 30) {
      kept.push('More changes than fit here.');
      break;
    }
    kept.push(line);
  }
  return {
    version: '1.0',
    source: 'custom',
    id,
    content: {
      textType: 'client-markdown',
      title: `${colour}${chatMarkdown(title)}`,
      description: kept.join('\n'),
      keywords: [cutAtWord(chatMarkdown(notice.thread.title), 100)],
    },
    metadata: {
      threadId: notice.thread.id,
      summary: chatMarkdown(title),
      eventType: 'gene-panel-change',
    },
  };
}

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'change':
      return [rowLine(block.row)];
    case 'place':
      return [block.text, block.below ?? []].filter((line) => line.length > 0).map(markdownOf);
    case 'byline':
    case 'text':
      return block.text.length === 0 ? [] : [markdownOf(block.text)];
    case 'quote':
      return [`“${chatMarkdown(cutAtWord(block.text, QUOTE))}”`];
    case 'facts':
      return block.facts.map(
        ({ label, value }) => `${chatMarkdown(label)}: ${markdownOf(cutPhrase(value, QUOTE))}`,
      );
    case 'group':
      return [`*${chatMarkdown(block.title)}*`, ...block.parts.flatMap(partLines)];
  }
}

function partLines({ heading, note, rows }: Part): readonly string[] {
  const title = heading === undefined ? [] : [`${markdownOf(heading)}${note ? `  ${markdownOf(note)}` : ''}`];
  const more = rows.length > ROWS ? [chatMarkdown(restOfRows(rows.slice(ROWS), NAMES))] : [];
  return [...title, ...rows.slice(0, ROWS).map(rowLine), ...more];
}

function rowLine({ name, words, note, more = [] }: Row): string {
  const start = name === '' ? '' : `${chatMarkdown(cutAtWord(name, 200))}: `;
  const end = note ? `   ${markdownOf(cutPhrase(note, 150))}` : '';
  const below = more.map((line) => `\n${markdownOf(cutPhrase(line, QUOTE))}`).join('');
  return `${start}${markdownOf(cutPhrase(words, 500))}${end}${below}`;
}

const pieces: PieceRenderers<string> = {
  text: ({ text }) => chatMarkdown(text),
  rating: ({ rating }) => colouredRating(rating),
  name: ({ text }) => chatMarkdown(text),
  // Slack and Teams share no markup for links; the message has the addresses at its end.
  link: ({ text }) => chatMarkdown(text),
};

const markdownOf = (phrase: Phrase): string => renderPhrase(phrase, pieces).join('');

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
    await publish({ topic: 'chat', subscription, text }, { signal });
  },
};
