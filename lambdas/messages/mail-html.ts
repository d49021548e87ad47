import { cutAtWord } from './clean-text.ts';
import { htmlText as text } from './html-text.ts';
import { mailStyle, toneClass } from './mail-style.ts';
import { MAIL_ROWS } from './mail-text.ts';
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
${notice.blocks.map(blockHtml).join('\n')}
${notice.links.map(button).join('\n')}
</div>
<div class="foot">
${notice.footer.map((line) => `<p>${text(line)}</p>`).join('\n')}
</div>
</body>
</html>
`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'change':
      return `<p class="change"><b>${text(block.row.name)}</b> ${phraseHtml(block.row.words)}</p>`;
    case 'place':
      return block.text.length === 0 ? '' : `<p class="place">${phraseHtml(block.text)}</p>`;
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
      return `${title}\n${block.parts.map(partHtml).join('\n')}`;
    }
  }
}

const lines = (value: string): string => text(value).replaceAll('\n', '<br>');

const factHtml = ({ label, value }: Fact): string =>
  `<tr><th scope="row">${text(label)}</th><td>${phraseHtml(cutPhrase(value, QUOTE))}</td></tr>`;

function partHtml({ heading, note, rows }: Part): string {
  const versions = note ? ` <span class="note">${phraseHtml(note)}</span>` : '';
  const title = heading === undefined ? '' : `<h3>${phraseHtml(heading)}${versions}</h3>`;
  const shown = rows.slice(0, MAIL_ROWS).map(rowHtml).join('');
  const left = rows.length - MAIL_ROWS;
  const more = left > 0 ? `<p class="note">and ${left} more</p>` : '';
  return `${title}<table class="rows">${shown}</table>${more}`;
}

function rowHtml({ name, words, note }: Row): string {
  const more = note ? `<div class="note">${phraseHtml(cutPhrase(note, NOTE))}</div>` : '';
  const cell = `${phraseHtml(words)}${more}`;
  return name === ''
    ? `<tr><td colspan="2">${cell}</td></tr>`
    : `<tr><th scope="row">${text(name)}</th><td>${cell}</td></tr>`;
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
