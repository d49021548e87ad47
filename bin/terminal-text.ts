import { printable } from '../lambdas/run/printable.ts';

/** What a terminal can show. */
export interface Terminal {
  readonly colours: boolean;
  /** Columns; undefined for a file or a pipe, which have no width. */
  readonly width: number | undefined;
}

/**
 * The terminal behind a stream. Colours only on a terminal that has them, and never where NO_COLOR is set
 * (https://no-color.org).
 */
export function terminalOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  if (!stream.isTTY) return { colours: false, width: undefined };
  return { colours: !env.NO_COLOR && env.TERM !== 'dumb', width: stream.columns || undefined };
}

/** The columns that a text takes: two for an East Asian character or an emoji, none for a combining one. */
export function widthOf(text: string): number {
  // Nearly every text: segments take most of the time of a table of thousands of rows.
  if (NARROW.test(text)) return text.length;
  return [...graphemes(text)].reduce((sum, grapheme) => sum + columnsOf(grapheme), 0);
}

/** The text in at most `width` columns (at least one), with an ellipsis where something was left out. */
export function truncated(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = '';
  let columns = 1;
  for (const grapheme of graphemes(text)) {
    columns += columnsOf(grapheme);
    if (columns > width) break;
    short += grapheme;
  }
  return `${short.trimEnd()}…`;
}

/** Letters and signs of one column each, none of which combines with another: Latin, Greek, dashes, quotation marks, arrows. */
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03c9\u2010-\u2027\u2190-\u2193]*$/;
/** Made where a text needs it: that takes 10 ms, in which a command could have started. */
let segmenter: Intl.Segmenter | undefined;
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u;

function* graphemes(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function columnsOf(grapheme: string): number {
  if (/^\p{M}+$/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Rows of a table with their cells below each other, two spaces apart; the first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const table = rows.map((row) => row.map(printable).map((cell) => ({ cell, width: widthOf(cell) })));
  const widths: number[] = [];
  for (const row of table) {
    for (const [at, { width }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, width);
  }
  return table.map((row) =>
    row
      .map(({ cell, width }, at) =>
        at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - width),
      )
      .join('  ')
      .trimEnd(),
  );
}
