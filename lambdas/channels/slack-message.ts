import type {
  KnownBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  RichTextSection,
} from '@slack/types';
import { cutAtWord } from '../messages/clean-text.ts';
import type { Block, Fact, Notice, Part, Row } from '../messages/notice.ts';
import {
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  phraseText,
  renderPhrase,
  shortText,
} from '../messages/phrase.ts';
import { colouredRating } from '../messages/rating-words.ts';
import { slackText } from './slack-text.ts';

/** What an incoming webhook of Slack takes. */
export interface SlackMessage {
  /** For notifications and screen readers. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Limits of Block Kit: https://docs.slack.dev/reference/block-kit/blocks */
const MOST_BLOCKS = 50;
const HEADER = 150;
const FIELD = 2_000;
const MOST_FIELDS = 10;
const QUOTE = 600;
/** Characters of one rich text block; its list of names is cut. */
const GROUP = 2_800;
const BUTTON = 75;

/** The message for Slack: Block Kit without any markup in its texts, so that none can be forged. */
export function slackMessage(notice: Notice): SlackMessage {
  const title = shortText(notice.headline, HEADER);
  const head: KnownBlock[] = [{ type: 'header', text: plain(title, HEADER) }];
  const tail: KnownBlock[] = [];
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

function blocksOf(block: Block): readonly KnownBlock[] {
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
      return block.parts.map((part, place) => rich([...(place === 0 ? [title] : []), ...partElements(part)]));
    }
  }
}

/** The rows of one panel, as many as fit, one after the other. */
function partElements({ heading, note, rows }: Part): readonly RichTextSection[] {
  const elements: RichTextElement[] = [];
  if (heading !== undefined) {
    elements.push(...phraseElements(cutPhrase(heading, 200)).map(inBold));
    if (note) elements.push(plainly(`  ${shortText(note, 100)}`));
    elements.push(plainly('\n'));
  }
  let length = 0;
  for (const [place, row] of rows.entries()) {
    const own = rowElements(row, '  ');
    length += own.reduce((sum, element) => sum + ('text' in element ? (element.text?.length ?? 0) : 2), 1);
    if (length > GROUP) {
      elements.push(plainly(`and ${rows.length - place} more`));
      break;
    }
    elements.push(...own, plainly(place === rows.length - 1 ? '' : '\n'));
  }
  return [{ type: 'rich_text_section', elements: elements.filter((element) => !isEmpty(element)) }];
}

const isEmpty = (element: RichTextElement): boolean => element.type === 'text' && element.text === '';

function rowElements({ name, words, note }: Row, colon: string): readonly RichTextElement[] {
  return [
    ...(name === '' ? [] : [bold(cutAtWord(name, 200)), plainly(colon)]),
    ...phraseElements(cutPhrase(words, 500)),
    ...(note ? [plainly(`   ${shortText(note, 150)}`)] : []),
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

function fields(facts: readonly Fact[]): readonly KnownBlock[] {
  const shown = facts
    .slice(0, MOST_FIELDS)
    .map(({ label, value }) => plain(`${label}\n${shortText(value, QUOTE)}`, FIELD));
  return shown.length === 0 ? [] : [{ type: 'section', fields: shown }];
}

const section = (text: string): KnownBlock => ({ type: 'section', text: plain(text, QUOTE * 4) });
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
