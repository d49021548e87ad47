import { cutAtWord } from './clean-text.ts';
import { htmlText as text } from './html-text.ts';
import { mailStyle, toneClass } from './mail-style.ts';
import { MAIL_ROWS } from './mail-text.ts';
import {
  type Block,
  type Fact,
  headlineText,
  type Link,
  type Notice,
  type Part,
  type Row,
} from './notice.ts';
import { ratingWord } from './rating-words.ts';
import { ratingIn } from './with-colours.ts';

const QUOTE = 2_000;
const NOTE = 300;

/**
 * A mail's HTML part: one column, no image, no script and nothing from outside; readable in any mail program, by a
 * screen reader and in the dark. It has the same words as the text part.
 */
export function mailHtml(notice: Notice): string {
  const title = headlineText(notice.headline);
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
      return `<p class="change"><b>${text(block.row.name)}</b> ${wordsHtml(block.row)}</p>`;
    case 'place':
      return block.text === '' ? '' : `<p class="place">${text(block.text)}</p>`;
    case 'byline':
      return `<p class="byline">${text(block.text)}</p>`;
    case 'text':
      return `<p>${lines(block.text)}</p>`;
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
  `<tr><th scope="row">${text(label)}</th><td>${text(cutAtWord(value, QUOTE))}</td></tr>`;

function partHtml({ heading, note, address, rows }: Part): string {
  const name = heading === undefined ? '' : text(heading);
  const linked = address === undefined ? name : `<a href="${text(address)}">${name}</a>`;
  const title =
    name === '' ? '' : `<h3>${linked}${note ? ` <span class="note">${text(note)}</span>` : ''}</h3>`;
  const shown = rows.slice(0, MAIL_ROWS).map(rowHtml).join('');
  const left = rows.length - MAIL_ROWS;
  const more = left > 0 ? `<p class="note">and ${left} more</p>` : '';
  return `${title}<table class="rows">${shown}</table>${more}`;
}

function rowHtml(row: Row): string {
  const note = row.note ? `<div class="note">${text(cutAtWord(row.note, NOTE))}</div>` : '';
  if (row.name === '') return `<tr><td colspan="2">${wordsHtml(row)}${note}</td></tr>`;
  return `<tr><th scope="row">${text(row.name)}</th><td>${wordsHtml(row)}${note}</td></tr>`;
}

/** The words, with each rating that they state in its colour. */
function wordsHtml({ words, ratings = [] }: Row): string {
  const html = text(words);
  const found = ratings.flatMap((rating) =>
    [...html.matchAll(new RegExp(ratingIn(rating, words), 'g'))]
      .slice(0, words.includes('→') ? undefined : 1)
      .map(({ index }) => ({ index, rating, word: ratingWord(rating) })),
  );
  return found
    .sort((one, other) => other.index - one.index)
    .reduce(
      (rest, { index, rating, word }) =>
        `${rest.slice(0, index)}<span class="pill ${rating}">${word}</span>${rest.slice(index + word.length)}`,
      html,
    );
}

const button = ({ label, address }: Link): string =>
  `<p><a class="button" href="${text(address)}">${text(label === 'Panel' ? 'Open the panel' : label)}</a></p>`;
