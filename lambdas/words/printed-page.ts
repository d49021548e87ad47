import { printable } from '../run/printable.ts';
import { htmlText } from './html-text.ts';
import { reportStyle } from './report-style.ts';

/** Text of a page, without characters that cannot be seen. */
export const pageText = (text: string): string => htmlText(printable(text));

interface PrintedPage {
  /** As text; it is the first heading too. */
  readonly title: string;
  /** What follows the heading, as HTML. */
  readonly body: readonly string[];
  /** Rules beside those of every report. */
  readonly style?: string;
}

/** One HTML page to print, to send or to keep: it needs no other file and no network, and runs no script. */
export function printedPage({ title, body, style = '' }: PrintedPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${pageText(title)}</title>
<style>${reportStyle}${style}</style>
<main>
<h1>${pageText(title)}</h1>
${body.join('\n')}
</main>
</html>
`;
}
