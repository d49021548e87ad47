import { type ChangeLine, changeCsv } from './change-csv.ts';
import type { Notice } from './notice.ts';

/** Lists of more lines go along as a file: a reader sorts and filters them. */
const LONG = 20;
const LONGEST_NAME = 80;

/**
 * The file of a list, for a notice; nothing where the list is short.
 * @param always also of a short list
 */
export function listFile(
  title: string,
  lines: readonly ChangeLine[],
  { always = false }: { readonly always?: boolean } = {},
): Pick<Notice, 'file'> {
  if (lines.length === 0 || (lines.length <= LONG && !always)) return {};
  const name = title
    .normalize('NFKD')
    .replace(/[^\w.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, LONGEST_NAME)
    .toLowerCase();
  return { file: { name: `${name || 'changes'}.csv`, lines: lines.length, content: changeCsv(lines) } };
}
