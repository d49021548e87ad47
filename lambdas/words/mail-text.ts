import { cutAtWord } from './clean-text.ts';
import type { Block, ListFile, Notice, Part, Row } from './notice.ts';
import { phraseText, shortText } from './phrase.ts';

/** SNS takes fewer than 100 characters, and mail programs on phones show fewer still. */
const SUBJECT = 99;
const QUOTE = 2_000;
const NOTE = 200;
/** The most rows of one group, where the whole list goes along as a file. */
export const MAIL_ROWS = 100;
/** Of more rows, a plain text does not show the address of each entity; that of the panel it shows. */
const ROWS_WITH_ADDRESS = 10;

interface MailTextOptions {
  /** Shows every row: of a mail that cannot carry a file. */
  readonly whole?: boolean;
}

/** A mail's subject: one line of fewer than 100 characters. */
export function mailSubject(notice: Notice): string {
  return shortText(notice.headline, SUBJECT);
}

/** A mail's plain text, which reads well on a phone. */
export function mailText(notice: Notice, { whole = false }: MailTextOptions = {}): string {
  const lines: string[] = [];
  const rows = notice.blocks.flatMap((block) =>
    block.kind === 'group' ? block.parts.flatMap((part) => part.rows) : [],
  );
  const shown = new Set<string>();
  const options: RowOptions = {
    longest: whole || !notice.file ? Number.POSITIVE_INFINITY : MAIL_ROWS,
    addresses: rows.length <= ROWS_WITH_ADDRESS,
    isFirst: (address) => !shown.has(address) && shown.add(address) !== undefined,
  };
  for (const block of notice.blocks) {
    if (block.kind === 'place' && block.text.length === 0 && !block.below) continue;
    if (lines.length > 0 && !follows(block)) lines.push('');
    lines.push(...linesOf(block, options));
  }
  if (notice.file && !whole) lines.push('', fileSentence(notice.file));
  if (notice.links.length > 0) {
    if (notice.blocks.at(-1)?.kind !== 'facts') lines.push('');
    lines.push(...notice.links.map(({ label, address }) => `${label}: ${address}`));
  }
  return `${[...lines, '', ...notice.footer].join('\n').trim()}\n`;
}

/** `The whole list, 400 lines, is attached: hearing-loss-changes.csv`. */
export const fileSentence = ({ name, lines }: ListFile): string =>
  `The whole list, ${lines === 1 ? '1 line' : `${lines} lines`}, is attached for a spreadsheet: ${name}`;

interface RowOptions {
  /** The most rows of a part. */
  readonly longest: number;
  /** Whether each row shows the address of its entity. */
  readonly addresses: boolean;
  /** Whether the address was not shown before. */
  readonly isFirst: (address: string) => boolean;
}

const follows = ({ kind }: Block): boolean => kind === 'place' || kind === 'quote';

function linesOf(block: Block, options: RowOptions): readonly string[] {
  switch (block.kind) {
    case 'change':
      return [`${block.row.name}: ${phraseText(block.row.words)}`];
    case 'place':
      return [block.text, block.below ?? []].filter((text) => text.length > 0).map(phraseText);
    case 'byline':
    case 'text':
      return [phraseText(block.text)];
    case 'quote':
      return [plainQuote(block.text, QUOTE)];
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}: ${shortText(value, QUOTE)}`);
    case 'group': {
      return [
        `${block.title.toUpperCase()}${block.count > 1 ? ` (${block.count})` : ''}`,
        ...block.parts.flatMap((part) =>
          partLines(part, { ...options, addresses: options.addresses && block.tone !== 'plain' }),
        ),
      ];
    }
  }
}

function partLines(
  { heading, note, rows }: Part,
  { longest, addresses, isFirst }: RowOptions,
): readonly string[] {
  const indent = heading === undefined ? '  ' : '    ';
  const title =
    heading === undefined
      ? []
      : [
          `  ${phraseText(heading)}${note ? `   ${phraseText(note)}` : ''}`,
          ...heading.flatMap((piece) =>
            piece.kind === 'link' && isFirst(piece.address) ? [`  ${piece.address}`] : [],
          ),
        ];
  const shown = rows.slice(0, longest);
  const width = Math.min(12, Math.max(0, ...shown.map(({ name }) => name.length)));
  const left = rows.length - shown.length;
  const more = left > 0 ? [`${indent}and ${left} more: see the attached list`] : [];
  const lines = shown.flatMap((row) => [
    `${indent}${rowText(row, width)}`,
    ...(row.more ?? []).map((line) => `${indent}  ${shortText(line, QUOTE)}`),
    ...(addresses && row.address !== undefined ? [`${indent}  ${row.address}`] : []),
  ]);
  return [...title, ...lines, ...more];
}

function rowText({ name, words, note }: Row, width: number): string {
  const text = `${phraseText(words)}${note ? `   ${shortText(note, NOTE)}` : ''}`;
  return name === '' ? text : `${name.padEnd(width)}  ${text}`;
}

/**
 * Free text in plain mail. Plain text has no escape characters, so each line of free text is marked: no reader takes it
 * for a line of the message itself.
 */
function plainQuote(text: string, longest: number): string {
  const cut = cutAtWord(text, longest);
  return cut.includes('\n') ? cut.replace(/^/gm, '> ') : `“${cut}”`;
}

/**
 * The plain text with every row, for a channel that carries no file. Where that is too long, the lines below the rows are left
 * out; where it still is, it is cut, and says so.
 * @param longest in bytes
 */
export function wholeText(notice: Notice, longest: number): string {
  const texts = [notice, compactNotice(notice)].map((each) => mailText(each, { whole: true }));
  const fitting = texts.find((text) => Buffer.byteLength(text) <= longest);
  if (fitting !== undefined) return fitting;
  const lines = Buffer.from(texts.at(-1) ?? '')
    .subarray(0, longest)
    .toString()
    .split('\n')
    .slice(0, -1);
  return `${lines.join('\n')}\n\nThis text is cut here: there are more changes than fit. Open the panels for all of them.\n`;
}

/** The notice without the lines below its rows and the addresses of their entities, for a channel that has no space for them. */
export const compactNotice = (notice: Notice): Notice => ({
  ...notice,
  blocks: notice.blocks.map((block) =>
    block.kind !== 'group'
      ? block
      : {
          ...block,
          parts: block.parts.map((part) => ({
            ...part,
            rows: part.rows.map(({ more: _more, address: _address, ...row }) => row),
          })),
        },
  ),
});

/**
 * The rows that a list has no space for, as one text: `and 288 more: amber → green: ABCA4, AIPL1 · red → green: BEST1`. Where
 * even the names have no space, it ends in how many are left.
 * @param longest in UTF-16 units
 */
export function restOfRows(rows: readonly Row[], longest: number): string {
  const start = `and ${rows.length} more`;
  const groups = Map.groupBy(rows, ({ words }) => phraseText(words));
  let text = '';
  let named = 0;
  for (const [words, own] of groups) {
    for (const [place, { name }] of own.entries()) {
      const separator =
        place > 0 ? ', ' : `${text === '' ? '' : ' · '}${groups.size > 1 || named === 0 ? `${words}: ` : ''}`;
      if (name === '' || start.length + text.length + separator.length + name.length + LEFT > longest) {
        const left = rows.length - named;
        return named === 0 ? start : `${start}: ${text} and ${left} others`;
      }
      text += separator + name;
      named += 1;
    }
  }
  return text === '' ? start : `${start}: ${text}`;
}

/** Space for the number of those that are left. */
const LEFT = 24;
