import { cutAtWord } from './clean-text.ts';
import { pillStyles, ratingColours, htmlText as text } from './html-page.ts';
import { fileSentence, MAIL_ROWS } from './mail-text.ts';
import type { Block, Fact, Link, Notice, Part, Row, Tone } from './notice.ts';
import {
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  phraseText,
  ratingWord,
  renderPhrase,
} from './phrase.ts';

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

const toneClass = (tone: Tone): string => `tone-${tone}`;

const { green, amber, red } = ratingColours.light;
const tone = (name: string, colour: string): string =>
  `.card.tone-${name}{border-top-color:${colour}}h2.tone-${name}{border-left-color:${colour}}`;

/** The style sheet of a mail. Every pair of text and ground has a contrast of 4.5 or more, in light and dark. */
const mailStyle = [
  'body{margin:0;padding:16px;background:#f3f4f6;color:#1b1f24;font:16px/1.5 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  '.card{max-width:600px;margin:0 auto;padding:20px 24px 24px;background:#fff;border-top:6px solid #6b7280;border-radius:6px;overflow-wrap:anywhere}',
  'h1{margin:0 0 14px;font-size:21px;line-height:1.3}',
  'h2{margin:26px 0 6px;padding-left:10px;border-left:5px solid #6b7280;font-size:17px;line-height:1.3}',
  'h3{margin:14px 0 2px;font-size:15px;font-weight:600}',
  'p{margin:0 0 10px}',
  '.change{font-size:20px;margin-bottom:6px}.change b{margin-right:6px}',
  '.pill{display:inline-block;padding:0 9px;border:1px solid;border-radius:11px;font-size:.92em;line-height:1.45;font-weight:600}',
  pillStyles('light'),
  tone('green', green.accent),
  tone('amber', amber.accent),
  tone('red', red.accent),
  tone('problem', red.accent),
  tone('recovery', green.accent),
  'blockquote{margin:14px 0;padding:8px 14px;border-left:4px solid #c3c8cf;background:#f6f7f9;white-space:normal}',
  'table+p{margin-top:18px}',
  'table{border-collapse:collapse;width:100%}',
  'th{text-align:left;vertical-align:top;padding:5px 14px 5px 0;font-weight:600}',
  'td{vertical-align:top;padding:5px 0}',
  '.facts{margin:12px 0;font-size:15px}.facts th{width:1%;white-space:nowrap;font-weight:400;color:#5a626d}',
  '.rows tr{border-bottom:1px solid #e6e8eb}.rows th{width:1%;min-width:84px;white-space:nowrap}',
  '.byline,.note,.count{color:#5a626d;font-weight:400}.note,.byline{font-size:15px}.count{font-size:15px}',
  'a{color:#0a5cad}',
  '.button{display:inline-block;margin-top:10px;padding:9px 18px;border-radius:6px;background:#0a5cad;color:#fff;text-decoration:none;font-weight:600}',
  '.foot{max-width:600px;margin:12px auto 0;padding:0 24px;color:#5a626d;font-size:13px}.foot p{margin:0 0 4px}',
  '@media (max-width:480px){body{padding:0}.card{padding:16px;border-radius:0}.foot{padding:0 16px 16px}}',
  '@media (prefers-color-scheme:dark){body{background:#14171b;color:#e7e9ec}.card{background:#1e2228}blockquote{background:#262b32;border-color:#4a515b}',
  '.byline,.note,.count,.foot,.facts th{color:#a5adb8}.rows tr{border-color:#333942}a{color:#7db8f5}.button{background:#7db8f5;color:#0d1b2a}',
  `${pillStyles('dark')}}`,
].join('');
