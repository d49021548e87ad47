import { joiners, unprintableBut } from '../run/text.ts';

/**
 * Text as a person can read it, of at most `longest` UTF-16 units. Terminal sequences, control characters, invisible
 * marks, and marks that change the direction of text are left out. Line breaks stay, at most one empty line at a time.
 */
export function cleanText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest && harmless.test(text)) return text;
  const cleaned = text
    .slice(0, longest * 4)
    .toWellFormed()
    .replace(terminalSequence, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(unseen, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cutAtWord(cleaned, longest);
}

/** As `cleanText`, on one line, with a smaller limit. */
export function cleanLine(text: string, longest = LONGEST_LINE): string {
  if (text.length <= longest && harmless.test(text)) return text;
  return cleanText(text.slice(0, longest * 4).replace(/[\r\n]+/g, ' '), longest).replace(/\n+/g, ' ');
}

/** Readers of a message need no more; the catalogue's page has the rest. */
const LONGEST_TEXT = 4_000;
const LONGEST_LINE = 300;

/** Text that needs no cleaning: nearly every name. */
const harmless = /^[!-~]+(?: [!-~]+)*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const terminalSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)?|[@-_])/g;

const unseen = unprintableBut(`\t\n${joiners}`);

/** At most `longest` UTF-16 units, cut between two words where one ends near the cut, with an ellipsis. */
export function cutAtWord(text: string, longest: number): string {
  if (text.length <= longest) return text;
  if (longest < 1) return '';
  const last = text.charCodeAt(longest - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? longest - 2 : longest - 1;
  const head = text.slice(0, Math.max(0, end));
  const space = head.search(/\s\S*$/);
  const atWord = space >= head.length * 0.6 ? head.slice(0, space) : head;
  return `${atWord.trimEnd()}…`;
}

/** Without it, Excel reads a file in the code page of the machine instead of UTF-8. */
export const byteOrderMark = '\ufeff';

type Cell = string | number | boolean | null | undefined;

/**
 * A line of CSV (RFC 4180). Characters that cannot be seen are left
 * out. A text that a spreadsheet would take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** What steers a terminal or hides in a cell; a tab, a line break and joiners of letters stay. */
const unseenInCell = unprintableBut(`\t\n\r${joiners}`);

/** Also with the full-width and small signs and the minus of mathematics, which some spreadsheets read as the ASCII ones. */
const formula = /^[\s\u200c\u200d]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|^[\t\r]/u;

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null || cell === undefined ? '' : String(cell);
  const seen = cell.replace(unseenInCell, '');
  const text = formula.test(seen) ? `'${seen}` : seen;
  return /[",\r\n]/.test(text) ? quoted(text) : text;
}

/** A line of tab-separated values as the catalogue writes them: for programs, so that no text is changed for a spreadsheet. */
export function tsvLine(cells: readonly (string | null | undefined)[]): string {
  const written = cells.map((cell) => {
    const text = (cell ?? '').replace(unseenInCell, '');
    return /["\t\r\n]/.test(text) ? quoted(text) : text;
  });
  return `${written.join('\t')}\r\n`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
