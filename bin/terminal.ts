import type { Log, LogFields } from '../lambdas/run/log.ts';
import { printable } from '../lambdas/run/text.ts';
import type { Io } from './command.ts';

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

/** The log of a command: warnings and errors on standard error, a line each. */
export function logLines({ stderr }: Io): Log {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      const facts = Object.entries(fields).map(([key, value]) => `${key}=${factOf(value)}`);
      stderr.write(`${printable([`${level}: ${message}`, ...facts].join('  '))}\n`);
    };
  return { info: () => {}, warn: line('warning'), error: line('error') };
}

function factOf(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** How far long work has come, on standard error: in place on a terminal, elsewhere a line every ten seconds. */
export type Progress = ReturnType<typeof createProgress>;

const TERMINAL_MS = 200;
const ELSEWHERE_MS = 10_000;
/** A rate that was measured over a shorter time says too little about the time left. */
const RATE_MS = 2_000;

/** @param items what is counted, such as `activities` */
export function createProgress({ stderr, clock }: Pick<Io, 'stderr' | 'clock'>, items: string) {
  const [every, before, after] = stderr.isTTY ? [TERMINAL_MS, '\r\u001b[K', ''] : [ELSEWHERE_MS, '', '\n'];
  let began: { readonly at: number; readonly done: number } | undefined;
  let shown = Number.NEGATIVE_INFINITY;
  let wrote = false;
  return {
    /** @param total null where unknown */
    show(done: number, total: number | null) {
      const now = clock.now();
      if (!began || done < began.done) began = { at: now, done };
      if (!stderr.isTTY && shown === Number.NEGATIVE_INFINITY) shown = now;
      if (now - shown < every) return;
      shown = now;
      wrote = true;
      const left = total === null ? null : secondsLeft(done - began.done, total - done, now - began.at);
      const parts = [
        `${whole(done)}${total === null ? '' : ` of ${whole(total)}`} ${items}`,
        total !== null && total > 0 && `${Math.floor((100 * done) / total)} %`,
        left !== null && `about ${durationOf(left)} left`,
      ];
      stderr.write(`${before}${parts.filter(Boolean).join(', ')}${after}`);
    },
    end() {
      if (wrote && stderr.isTTY) stderr.write(before);
      wrote = false;
      // The next work is timed from its own start, so that a short one shows nothing.
      began = undefined;
      shown = Number.NEGATIVE_INFINITY;
    },
  };
}

function secondsLeft(done: number, left: number, milliseconds: number): number | null {
  if (milliseconds < RATE_MS || done <= 0) return null;
  return Math.max(1, Math.round(((left / done) * milliseconds) / 1000));
}

const whole = (count: number): string => count.toLocaleString('en-GB');

function durationOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
