import type { Block, Notice, Part, Row } from './notice.ts';
import { phraseText, shortText } from './phrase.ts';
import { plainQuote } from './plain-text.ts';

/** SNS takes fewer than 100 characters, and mail programs on phones show fewer still. */
const SUBJECT = 99;
const QUOTE = 2_000;
const NOTE = 200;
/** The most rows of one group; a reader who needs more opens the panel. */
export const MAIL_ROWS = 100;

/** A mail's subject: one line of fewer than 100 characters. */
export function mailSubject(notice: Notice): string {
  return shortText(notice.headline, SUBJECT);
}

/** A mail's plain text, which reads well on a phone. */
export function mailText(notice: Notice): string {
  const lines: string[] = [];
  for (const block of notice.blocks) {
    if (block.kind === 'place' && block.text.length === 0) continue;
    if (lines.length > 0 && !follows(block)) lines.push('');
    lines.push(...linesOf(block));
  }
  if (notice.links.length > 0) {
    if (notice.blocks.at(-1)?.kind !== 'facts') lines.push('');
    lines.push(...notice.links.map(({ label, address }) => `${label}: ${address}`));
  }
  return `${[...lines, '', ...notice.footer].join('\n').trim()}\n`;
}

/** Blocks that follow the one before without an empty line. */
const follows = ({ kind }: Block): boolean => kind === 'place' || kind === 'quote';

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'change':
      return [`${block.row.name}: ${phraseText(block.row.words)}`];
    case 'place':
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
        ...block.parts.flatMap(partLines),
      ];
    }
  }
}

function partLines({ heading, note, rows }: Part): readonly string[] {
  const indent = heading === undefined ? '  ' : '    ';
  const title =
    heading === undefined ? [] : [`  ${phraseText(heading)}${note ? `   ${phraseText(note)}` : ''}`];
  const shown = rows.slice(0, MAIL_ROWS);
  const width = Math.min(12, Math.max(0, ...shown.map(({ name }) => name.length)));
  const more = rows.length > shown.length ? [`${indent}and ${rows.length - shown.length} more`] : [];
  return [...title, ...shown.map((row) => `${indent}${rowText(row, width)}`), ...more];
}

function rowText({ name, words, note }: Row, width: number): string {
  const text = `${phraseText(words)}${note ? `   ${shortText(note, NOTE)}` : ''}`;
  return name === '' ? text : `${name.padEnd(width)}  ${text}`;
}
