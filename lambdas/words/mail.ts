import { cutAtWord } from './clean-text.ts';
import { pillStyles, ratingColours, htmlText as text } from './html-page.ts';
import {
  type Block,
  compactNotice,
  type Fact,
  type Link,
  type ListFile,
  type Notice,
  type Part,
  type Row,
  type Tone,
} from './notice.ts';
import {
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  phraseText,
  ratingWord,
  renderPhrase,
  shortText,
} from './phrase.ts';

/** SNS takes fewer than 100 characters, and mail programs on phones show fewer still. */
const SUBJECT = 99;
const QUOTE = 2_000;
/** Of a row, in plain text and in HTML. */
const NOTE = { text: 200, html: 300 };
/** The most rows of one group, where the whole list goes along as a file. */
const MAIL_ROWS = 100;
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
const fileSentence = ({ name, lines }: ListFile): string =>
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
  const text = `${phraseText(words)}${note ? `   ${shortText(note, NOTE.text)}` : ''}`;
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
  const lines = [
    ...(note ? [cutPhrase(note, NOTE.html)] : []),
    ...more.map((line) => cutPhrase(line, QUOTE)),
  ];
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
