import { cutAtWord } from '../words/clean-text.ts';
import { type Block, compactNotice, type Notice, type Part, type Row, restOfRows } from '../words/notice.ts';
import {
  colouredRating,
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  renderPhrase,
  shortText,
} from '../words/phrase.ts';

/** An invisible character at which no line breaks. It takes apart what a chat would make a mention, a link or an emoji of. */
export const WORD_JOINER = '\u2060';

/** The text with no address in it that a chat would make a link of. */
export const withoutAddresses = (text: string): string =>
  text
    .replace(/(?<=https?|mailto|ftp):(?=\S)/gi, `${WORD_JOINER}:`)
    .replace(/\bwww\.(?=\S)/gi, `www${WORD_JOINER}.`);

/** How a chat writes lines of text. What it is given is escaped already, except by `text`. */
export interface LineMarkup {
  /** Escapes a text, and keeps what is in it from being a mention, a link or the name of an emoji. */
  readonly text: (text: string) => string;
  readonly heading: (line: string) => string;
  readonly bold: (text: string) => string;
  readonly link: (text: string, address: string) => string;
  readonly quote: (line: string) => string;
  readonly item: (line: string) => string;
  /** A line of facts, with what ends it where the next line would continue it. */
  readonly fact: (line: string) => string;
  /** Begins a further line of an item. */
  readonly belowItem: string;
  /** Rows of one panel in one group; further ones are named. */
  readonly rows: number;
  /** Characters of their names. */
  readonly names: number;
}

/** Characters of the heading. */
export const TITLE = 200;
const QUOTE = 600;
const MORE = 'More changes than fit here.';

/**
 * A notice as lines of a chat's markup; an empty line ends a paragraph. Where it is longer, the compact notice, and of that the
 * lines that fit: the last one then says that there is more.
 * @param longest characters of all lines, each with one for its end
 */
export function messageLines(notice: Notice, markup: LineMarkup, longest: number): readonly string[] {
  const whole = linesIn(notice, markup);
  if (lengthOf(whole) <= longest) return whole;
  const compact = linesIn(compactNotice(notice), markup);
  if (lengthOf(compact) <= longest) return compact;
  const kept: string[] = [];
  let left = longest - MORE.length - 2;
  for (const line of compact) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, '', MORE];
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length + 1, 0);

function linesIn({ headline, blocks }: Notice, markup: LineMarkup): readonly string[] {
  const heading = markup.heading(markup.text(shortText(headline, TITLE)));
  return [heading, ...blocks.flatMap((block) => linesOf(block, markup))];
}

function linesOf(block: Block, markup: LineMarkup): readonly string[] {
  const words = (phrase: Phrase, longest: number): string => phraseIn(phrase, longest, markup);
  switch (block.kind) {
    case 'change':
      return ['', rowText(block.row, markup)];
    case 'place':
      return [block.text, block.below ?? []]
        .filter((line) => line.length > 0)
        .flatMap((line) => ['', words(line, QUOTE * 2)]);
    case 'byline':
    case 'text':
      return block.text.length === 0 ? [] : ['', words(block.text, QUOTE * 2)];
    case 'quote':
      return ['', ...markup.text(cutAtWord(block.text, QUOTE)).split('\n').map(markup.quote)];
    case 'facts':
      return [
        '',
        ...block.facts.map(({ label, value }) =>
          markup.fact(`${markup.bold(`${markup.text(label)}:`)} ${words(value, QUOTE)}`),
        ),
      ];
    case 'group': {
      const count = block.count > 1 ? ` (${block.count})` : '';
      const title = markup.bold(`${markup.text(block.title)}${count}`);
      return ['', title, ...block.parts.flatMap((part) => partLines(part, markup))];
    }
    default:
      return block satisfies never;
  }
}

function partLines({ heading, note, rows }: Part, markup: LineMarkup): readonly string[] {
  const words = (phrase: Phrase, longest: number): string => phraseIn(phrase, longest, markup);
  const title =
    heading === undefined ? [] : ['', `${words(heading, 200)}${note ? `  ${words(note, 100)}` : ''}`];
  const rest = rows.slice(markup.rows);
  const more = rest.length > 0 ? [markup.item(markup.text(restOfRows(rest, markup.names)))] : [];
  return [...title, ...rows.slice(0, markup.rows).map((row) => markup.item(rowText(row, markup))), ...more];
}

function rowText({ name, words, note, more = [], address }: Row, markup: LineMarkup): string {
  const shown = markup.bold(markup.text(cutAtWord(name, 200)));
  const start = name === '' ? '' : `${address === undefined ? shown : markup.link(shown, address)} `;
  const end = note ? `   ${phraseIn(note, 150, markup)}` : '';
  const below = more.map((line) => `${markup.belowItem}${phraseIn(line, QUOTE, markup)}`);
  return `${start}${phraseIn(words, 500, markup)}${end}${below.join('')}`;
}

/** A phrase of at most so many characters before its markup. */
function phraseIn(phrase: Phrase, longest: number, { text: escaped, link }: LineMarkup): string {
  const pieces: PieceRenderers<string> = {
    text: ({ text }) => escaped(text),
    rating: ({ rating }) => colouredRating(rating),
    name: ({ text }) => escaped(text),
    link: ({ text, address }) => link(escaped(text), address),
  };
  return renderPhrase(cutPhrase(phrase, longest), pieces).join('');
}
