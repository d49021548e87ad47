import { compactNotice } from './compact-notice.ts';
import { mailText } from './mail-text.ts';
import type { Notice } from './notice.ts';

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
