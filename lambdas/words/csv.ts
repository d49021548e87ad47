import { joiners, unprintableBut } from '../run/text.ts';

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
const unseen = unprintableBut(`\t\n\r${joiners}`);

/** Also with the full-width and small signs and the minus of mathematics, which some spreadsheets read as the ASCII ones. */
const formula = /^[\s\u200c\u200d]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|^[\t\r]/u;

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null || cell === undefined ? '' : String(cell);
  const seen = cell.replace(unseen, '');
  const text = formula.test(seen) ? `'${seen}` : seen;
  return /[",\r\n]/.test(text) ? quoted(text) : text;
}

/** A line of tab-separated values as the catalogue writes them: for programs, so that no text is changed for a spreadsheet. */
export function tsvLine(cells: readonly (string | null | undefined)[]): string {
  const written = cells.map((cell) => {
    const text = (cell ?? '').replace(unseen, '');
    return /["\t\r\n]/.test(text) ? quoted(text) : text;
  });
  return `${written.join('\t')}\r\n`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
