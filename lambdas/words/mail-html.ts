import { cutAtWord } from './clean-text.ts';
import { htmlText as text } from './html-text.ts';
import { mailStyle, toneClass } from './mail-style.ts';
import { fileSentence, MAIL_ROWS } from './mail-text.ts';
import type { Block, Fact, Link, Notice, Part, Row } from './notice.ts';
import { cutPhrase, type Phrase, type PieceRenderers, phraseText, renderPhrase } from './phrase.ts';
import { ratingWord } from './rating-words.ts';

const QUOTE = 2_000;
const NOTE = 300;

/**
 * A mail's HTML part: one column, no image, no script and nothing from outside; readable in any mail program, by a
 * screen reader and in the dark. It has the same words as the text part.
 */
export function mailHtml(notice: Notice): string {
  const title = phraseText(notice.headline);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${text(title)}</title>
<style>${mailStyle}</style>
</head>
<body class="page">
<div class="card ${toneClass(notice.tone)}" role="article" aria-label="${text(title)}">
<h1>${text(title)}</h1>
${notice.blocks.map((block) => blockHtml(block, notice.file === undefined ? Number.POSITIVE_INFINITY : MAIL_ROWS)).join('\n')}
${notice.file ? `<p class="note">${text(fileSentence(notice.file))}</p>` : ''}
${notice.links.map(button).join('\n')}
</div>
<div class="foot">
${notice.footer.map((line) => `<p>${text(line)}</p>`).join('\n')}
</div>
</body>
</html>
`;
}

function blockHtml(block: Block, longest: number): string {
  switch (block.kind) {
    case 'change':
      return `<p class="change"><b>${text(block.row.name)}</b> ${phraseHtml(block.row.words)}</p>`;
    case 'place':
      return [block.text, block.below ?? []]
        .filter((line) => line.length > 0)
        .map((line) => `<p class="place">${phraseHtml(line)}</p>`)
        .join('\n');
    case 'byline':
      return `<p class="byline">${phraseHtml(block.text)}</p>`;
    case 'text':
      return `<p>${phraseHtml(block.text)}</p>`;
    case 'quote':
      return `<blockquote>${lines(cutAtWord(block.text, QUOTE))}</blockquote>`;
    case 'facts':
      return `<table class="facts">${block.facts.map(factHtml).join('')}</table>`;
    case 'group': {
      const title = `<h2 class="${toneClass(block.tone)}">${text(block.title)}${block.count > 1 ? ` <span class="count">${block.count}</span>` : ''}</h2>`;
      return `${title}\n${block.parts.map((part) => partHtml(part, longest)).join('\n')}`;
    }
  }
}

const lines = (value: string): string => text(value).replaceAll('\n', '<br>');

const factHtml = ({ label, value }: Fact): string =>
  `<tr><th scope="row">${text(label)}</th><td>${phraseHtml(cutPhrase(value, QUOTE))}</td></tr>`;

function partHtml({ heading, note, rows }: Part, longest: number): string {
  const versions = note ? ` <span class="note">${phraseHtml(note)}</span>` : '';
  const title = heading === undefined ? '' : `<h3>${phraseHtml(heading)}${versions}</h3>`;
  const shown = rows.slice(0, longest).map(rowHtml).join('');
  const left = rows.length - longest;
  const more = left > 0 ? `<p class="note">and ${left} more: see the attached list</p>` : '';
  return `${title}<table class="rows">${shown}</table>${more}`;
}

function rowHtml({ name, words, note, more = [], address }: Row): string {
  const lines = [...(note ? [cutPhrase(note, NOTE)] : []), ...more.map((line) => cutPhrase(line, QUOTE))];
  const below = lines.map((line) => `<div class="note">${phraseHtml(line)}</div>`).join('');
  const cell = `${phraseHtml(words)}${below}`;
  const title = address === undefined ? text(name) : `<a href="${text(address)}">${text(name)}</a>`;
  return name === ''
    ? `<tr><td colspan="2">${cell}</td></tr>`
    : `<tr><th scope="row">${title}</th><td>${cell}</td></tr>`;
}

const pieces: PieceRenderers<string> = {
  text: (piece) => lines(piece.text),
  rating: ({ rating }) => `<span class="pill ${rating}">${ratingWord(rating)}</span>`,
  name: (piece) => lines(piece.text),
  link: (piece) => `<a href="${text(piece.address)}">${text(piece.text)}</a>`,
};

const phraseHtml = (phrase: Phrase): string => renderPhrase(phrase, pieces).join('');

const button = ({ button: words, address }: Link): string =>
  `<p><a class="button" href="${text(address)}">${text(words)}</a></p>`;
