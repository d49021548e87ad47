import type {
  ActionsBlock,
  ContextBlock,
  HeaderBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  RichTextSection,
  SectionBlock,
} from '@slack/types';
import * as z from 'zod';
import { WebhookError } from '../catalogue/http/post-json.ts';
import { cutAtWord } from '../words/clean-text.ts';
import { type Block, type Fact, type Notice, type Part, type Row, restOfRows } from '../words/notice.ts';
import {
  colouredRating,
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  phraseText,
  renderPhrase,
  shortText,
} from '../words/phrase.ts';
import { type ChannelType, jsonFile, type Sending } from './channel.ts';
import { chatByWebhook, inThread, type Posted, postAsBot } from './post.ts';

/**
 * Text for a Slack text object of the type `plain_text`: the three characters that Slack reads as control
 * characters. Text elements of `rich_text` blocks are never parsed and need no escaping.
 */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The kinds of blocks that messages have. The page shows each of them. */
export type SlackBlock = HeaderBlock | SectionBlock | ContextBlock | RichTextBlock | ActionsBlock;

/** What an incoming webhook of Slack takes. */
export interface SlackMessage {
  /** For notifications and screen readers. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

/** Limits of Block Kit: https://docs.slack.dev/reference/block-kit/blocks */
const MOST_BLOCKS = 50;
const HEADER = 150;
const FIELD = 2_000;
const MOST_FIELDS = 10;
const QUOTE = 600;
/** Characters of one rich text block. Rows that do not fit are named in a block of their own. */
const GROUP = 2_800;
/** Characters of the names of rows that do not fit: some thousand genes. */
const NAMES = 9_000;
const LINE = 200;
const BUTTON = 75;

/** The message for Slack: Block Kit without any markup in its texts, so that none can be forged. */
export function slackMessage(notice: Notice): SlackMessage {
  const title = shortText(notice.headline, HEADER);
  const head: SlackBlock[] = [{ type: 'header', text: plain(title, HEADER) }];
  const tail: SlackBlock[] = [];
  const [link] = notice.links;
  if (link) {
    tail.push({
      type: 'actions',
      elements: [{ type: 'button', text: plain(link.button, BUTTON), url: link.address }],
    });
  }
  if (notice.footer.length > 0) {
    tail.push({
      type: 'context',
      elements: notice.footer.map((line) => plain(line, FIELD)).slice(0, MOST_FIELDS),
    });
  }
  const body = notice.blocks.flatMap(blocksOf);
  const space = MOST_BLOCKS - head.length - tail.length;
  const cut =
    body.length <= space ? body : [...body.slice(0, space - 1), section('More changes than fit here.')];
  return { text: slackText(title), blocks: [...head, ...cut, ...tail] };
}

function blocksOf(block: Block): readonly SlackBlock[] {
  switch (block.kind) {
    case 'change':
      return [rich([line(...rowElements(block.row, ': '))])];
    case 'place':
      return fields(block.facts);
    case 'byline':
      return [{ type: 'context', elements: [plain(phraseText(block.text), FIELD)] }];
    case 'text':
      return [section(phraseText(block.text))];
    case 'quote':
      return [
        rich([{ type: 'rich_text_quote', elements: [{ type: 'text', text: cutAtWord(block.text, QUOTE) }] }]),
      ];
    case 'facts':
      return fields(block.facts);
    case 'group': {
      const title = line(bold(`${block.title}${block.count > 1 ? ` (${block.count})` : ''}`));
      return block.parts.flatMap((part, place) => {
        const { shown, rest } = partElements(part);
        return [
          rich([...(place === 0 ? [title] : []), shown]),
          ...inBlocks(rest).map((text) => rich([line(plainly(text))])),
        ];
      });
    }
  }
}

/** The rows of one panel, as many as fit, one after the other; and the names of the others. */
function partElements({ heading, note, rows }: Part): {
  readonly shown: RichTextSection;
  readonly rest: string;
} {
  const elements: RichTextElement[] = [];
  if (heading !== undefined) {
    elements.push(...phraseElements(cutPhrase(heading, 200)).map(inBold));
    if (note) elements.push(plainly(`  ${shortText(note, 100)}`));
    elements.push(plainly('\n'));
  }
  const whole = rows.map((row) => rowElements(row, '  '));
  const isLong = whole.reduce((sum, own) => sum + lengthOf(own), 0) > GROUP;
  const short = isLong ? rows.map(({ more: _more, ...row }) => rowElements(row, '  ')) : whole;
  let length = 0;
  const end = short.findIndex((own) => {
    length += lengthOf(own);
    return length > GROUP;
  });
  const shown = end < 0 ? short : short.slice(0, end);
  elements.push(...shown.flatMap((own, place) => (place === 0 ? own : [plainly('\n'), ...own])));
  return {
    shown: line(...elements.filter((element) => !isEmpty(element))),
    rest: end < 0 ? '' : restOfRows(rows.slice(end), NAMES),
  };
}

/** A long text as texts of one block each, cut between two names. */
function inBlocks(text: string): readonly string[] {
  const parts: string[] = [];
  for (let left = text; left !== ''; left = left.slice(parts.at(-1)?.length)) {
    const cut = left.length <= GROUP ? left.length : left.lastIndexOf(', ', GROUP) + 2;
    parts.push(left.slice(0, cut > 2 ? cut : GROUP));
  }
  return parts;
}

const lengthOf = (elements: readonly RichTextElement[]): number =>
  elements.reduce((sum, element) => sum + ('text' in element ? (element.text?.length ?? 0) : 2), 1);

const isEmpty = (element: RichTextElement): boolean => element.type === 'text' && element.text === '';

function rowElements(
  { name, words, note, more = [], address }: Row,
  colon: string,
): readonly RichTextElement[] {
  const shown = cutAtWord(name, 200);
  const title = address === undefined ? bold(shown) : inBold({ type: 'link', url: address, text: shown });
  return [
    ...(name === '' ? [] : [title, plainly(colon)]),
    ...phraseElements(cutPhrase(words, 500)),
    ...(note ? [plainly(`   ${shortText(note, 150)}`)] : []),
    ...more.flatMap((below) => [plainly('\n      '), ...phraseElements(cutPhrase(below, LINE))]),
  ];
}

const pieces: PieceRenderers<RichTextElement> = {
  text: ({ text }) => plainly(text),
  rating: ({ rating }) => plainly(colouredRating(rating)),
  name: ({ text }) => plainly(text),
  link: ({ text, address }) => ({ type: 'link', url: address, text }),
};

/** The elements of a phrase; texts that follow each other are one. */
function phraseElements(phrase: Phrase): readonly RichTextElement[] {
  const elements: RichTextElement[] = [];
  for (const element of renderPhrase(phrase, pieces)) {
    const last = elements.at(-1);
    if (element.type === 'text' && last?.type === 'text')
      elements[elements.length - 1] = plainly(last.text + element.text);
    else elements.push(element);
  }
  return elements;
}

const inBold = (element: RichTextElement): RichTextElement =>
  element.type === 'text' || element.type === 'link' ? { ...element, style: { bold: true } } : element;

function fields(facts: readonly Fact[]): readonly SlackBlock[] {
  const shown = facts
    .slice(0, MOST_FIELDS)
    .map(({ label, value }) => plain(`${label}\n${shortText(value, QUOTE)}`, FIELD));
  return shown.length === 0 ? [] : [{ type: 'section', fields: shown }];
}

const section = (text: string): SlackBlock => ({ type: 'section', text: plain(text, QUOTE * 4) });
const rich = (elements: RichTextBlock['elements']): RichTextBlock => ({ type: 'rich_text', elements });
const line = (...elements: readonly RichTextElement[]): RichTextSection => ({
  type: 'rich_text_section',
  elements: [...elements],
});
const bold = (text: string): RichTextElement => ({ type: 'text', text, style: { bold: true } });
const plainly = (text: string): RichTextElement => ({ type: 'text', text });

/** The limit holds for the text as it is sent, escaped. */
function plain(text: string, longest: number): PlainTextElement {
  let shown = cutAtWord(text, longest);
  while (slackText(shown).length > longest) {
    shown = cutAtWord(shown, Math.floor((shown.length * longest) / slackText(shown).length) - 1);
  }
  return { type: 'plain_text', text: slackText(shown), emoji: false };
}

/** Slack by an incoming webhook. It takes one message a second: https://docs.slack.dev/apis/web-api/rate-limits */
export const slack = chatByWebhook({
  kind: 'slack',
  title: 'Slack',
  setUp:
    'In Slack: *Apps → Incoming Webhooks → Add to Slack*, choose the channel, copy the address into the secret.',
  pauseMs: 1_100,
  render: slackMessage,
});

const API = 'https://slack.com/api/';

/** What `chat.postMessage` answers: https://docs.slack.dev/reference/methods/chat.postMessage */
const answerSchema = z.lazy(() =>
  z.object({ ok: z.boolean(), ts: z.string().optional(), error: z.string().optional() }),
);

/** Errors of Slack after which a person must do something about the token; the secret is read again. */
const tokenErrors: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
]);

/**
 * Slack by a bot, with one thread for each panel. Replies are shown in the channel too, so that readers of the channel see them.
 * Slack takes one message a second in a channel: https://docs.slack.dev/apis/web-api/rate-limits
 */
export const slackBot: ChannelType<'slack-bot'> = {
  kind: 'slack-bot',
  title: 'Slack by a bot',
  setUp:
    'Create a Slack app with the scope `chat:write`, install it, invite it to the channel, and put its token into the secret: `"lab-bot": {"token": "xoxb-…"}`. Threads by panel.',
  pauseMs: 1_100,
  dropsRepeats: false,
  afterTrial: '',
  preview: ({ notice }) => [jsonFile(slackMessage(notice))],
  send: ({ notice }, sending) =>
    inThread(notice, sending, (first) =>
      postMessage(sending, {
        channel: sending.channel.channel,
        ...slackMessage(notice),
        ...(first !== null && { thread_ts: first, reply_broadcast: true }),
        unfurl_links: false,
      }),
    ),
};

/** Posts a message, whose timestamp is its id. Slack refuses by an answer with the status 200. */
async function postMessage(sending: Sending<'slack-bot'>, body: object): Promise<Posted> {
  const { channel, context } = sending;
  const receiver = `the Slack bot "${channel.bot}" in the channel ${channel.channel}`;
  const { status, answer } = await postAsBot(sending, { receiver, api: API, path: 'chat.postMessage', body });
  const seen = answerSchema.safeParse(answer).data;
  // An answer that cannot be read came with a status that says that Slack has the message.
  if (!seen) return { id: null, answer: `HTTP ${status}` };
  if (seen.ok) return { id: seen.ts ?? null, answer: `HTTP ${status}, ts ${seen.ts ?? 'unknown'}` };
  if (tokenErrors.has(seen.error ?? '')) context.secrets.forget();
  throw new WebhookError({
    condition: 'REQUEST_REFUSED',
    action: `Sending a message through ${receiver}`,
    seen: `Slack answered ${JSON.stringify(seen.error ?? 'no reason')}; look it up under "Errors" at https://docs.slack.dev/reference/methods/chat.postMessage`,
    status: tokenErrors.has(seen.error ?? '') ? 401 : status,
  });
}
