import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Rating } from '../lambdas/events/changes.ts';
import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { printable, printablePart, safeJson } from '../lambdas/run/text.ts';
import { makeOwnFile, openWholeLines } from '../lambdas/store/own-files.ts';
import { eventColumns, eventLine } from '../lambdas/words/change-csv.ts';
import { byteOrderMark, cleanLine, csvLine, cutAtWord } from '../lambdas/words/clean-text.ts';
import { type ActionStep, actionsOf, stepsOf } from '../lambdas/words/curator-action.ts';
import { eventWords } from '../lambdas/words/event-words.ts';
import { panelTitle } from '../lambdas/words/panel-words.ts';
import { type PieceRenderers, ratingWord, renderPhrase } from '../lambdas/words/phrase.ts';
import { oneOf } from './arguments.ts';
import { type Io, unwritable } from './command.ts';
import { inSection, text, value } from './declare-command.ts';
import { type Terminal, terminalOf, truncated, widthOf } from './terminal.ts';

const formats = ['table', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** The options that say how and where events are written. */
export const outputOptions = inSection(
  { heading: 'Output:' },
  {
    format: value(
      'FORMAT',
      'ndjson: one event a line, as published; table: for reading; csv: for a spreadsheet',
      oneOf(formats),
    ),
    output: text('FILE', 'append the lines to a file instead of printing them'),
  },
);

/** The option of a command that writes a document. */
export const replacedFile = text(
  'FILE',
  'write to a file instead of printing; what the file held before is replaced',
);

interface TextOutput {
  /** Whether the file has lines already. */
  readonly begun: boolean;
  /** @throws {OutputError} when the text cannot be written whole */
  write(text: string | Buffer): Promise<void>;
  close(): void;
}

interface OutputOptions {
  readonly replaces?: boolean;
  /** Whether it names cases or people: then a file is for this user alone. */
  readonly isPersonal?: boolean;
}

/** An event, with its body where a history has it; or the body of a message, which steers no terminal. `ndjson` prints the body. */
export type PrintedEvent =
  | { readonly event: PanelEvent; readonly body?: string }
  | { readonly event?: undefined; readonly body: string };

/** The event of a body is read only where it is needed. */
export const eventOf = ({ event, body }: PrintedEvent): PanelEvent => event ?? JSON.parse(body);

/** Where a command writes events, in the format that was asked for. */
export interface EventOutput {
  /** @throws {OutputError} when the events cannot be written whole */
  write(events: readonly PrintedEvent[]): Promise<void>;
  close(): void;
}

/**
 * Opens standard output, or a file to which whole lines are appended; with `replaces`, what it held is removed.
 *
 * @throws {OutputError} when the file cannot be opened
 */
export function openOutput(
  file: string | undefined,
  { stdout }: Io,
  options: OutputOptions = {},
): TextOutput {
  return file === undefined ? streamOutput(stdout) : fileOutput(file, options);
}

/**
 * Prints a document, or makes it the whole content of a file: what the file held before is replaced.
 *
 * @throws {OutputError} when the document cannot be written whole
 */
export async function writeDocument(
  text: string,
  file: string | undefined,
  { stdout, isPersonal = false }: Pick<Io, 'stdout'> & Pick<OutputOptions, 'isPersonal'>,
): Promise<void> {
  const output = file === undefined ? streamOutput(stdout) : fileOutput(file, { replaces: true, isPersonal });
  try {
    await output.write(text);
  } finally {
    output.close();
  }
}

/** Prints events in a format. A CSV has its heading once, also where several runs append to one file. */
export function eventOutput(format: Format, output: TextOutput, io: Io): EventOutput {
  const terminal = terminalOf(io.stdout, io.env);
  const shown = output.begun ? { ...terminal, colours: false } : terminal;
  let headed = format !== 'csv' || output.begun;
  const ending = format === 'csv' ? '' : '\n';
  const linesOf = (printed: readonly PrintedEvent[]): readonly string[] => {
    if (format === 'csv') return printed.map((each) => eventLine(eventOf(each)));
    if (format === 'ndjson')
      return printed.map(({ body, event }) => (event ? safeJson(body ?? JSON.stringify(event)) : body));
    return formatEvents(printed.map(eventOf), shown);
  };
  const write = async (lines: readonly string[]): Promise<void> => {
    const texts = headed ? lines : [byteOrderMark + csvLine(eventColumns), ...lines];
    if (texts.length === 0) return;
    // One text of them all would be copied twice, with two bytes for each letter.
    const bytes = Buffer.allocUnsafe(
      texts.reduce((sum, text) => sum + Buffer.byteLength(text) + ending.length, 0),
    );
    let end = 0;
    for (const text of texts) {
      end += bytes.write(text, end);
      end += bytes.write(ending, end);
    }
    await output.write(bytes);
    headed = true;
  };
  return {
    write: (events) => write(linesOf(events)),
    close: () => output.close(),
  };
}

function streamOutput(stream: Writable): TextOutput {
  return {
    begun: false,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (cause) => {
          if (cause) reject(unwritable('standard output', cause));
          else resolve();
        });
      }),
    close: () => {},
  };
}

function fileOutput(file: string, options: OutputOptions): TextOutput {
  const attempt = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      throw unwritable(file, cause);
    }
  };
  const lines = attempt(() => {
    if (options.isPersonal) makeOwnFile(file);
    return openWholeLines(file, options);
  });
  return { ...lines, write: async (text) => attempt(() => lines.write(text)) };
}

type Style = Parameters<typeof styleText>[0];

/** A part of a line; it is coloured only once it has its place. */
interface Piece {
  readonly text: string;
  readonly style?: Style;
}

const ratingStyles: Readonly<Record<Rating, Style>> = {
  green: 'green',
  amber: 'yellow',
  red: 'red',
  none: 'gray',
};

/** The fewest columns for what changed, where one line has room for everything: panels are then in a column. */
const CHANGE_WIDTH = 28;
const INDENT = 2;
const LONGEST_QUOTE = 200;

/**
 * Events for a person, those of one action of a curator together: when, which entity, what changed (ratings in their
 * colours), on which panel, who did it, and what they wrote. An action is one line in a file, and on a terminal where
 * that fits; else it goes on in further lines, so that nothing is cut. Text that people typed into the catalogue cannot
 * move the cursor or change colours.
 */
export function formatEvents(events: readonly PanelEvent[], terminal: Terminal): readonly string[] {
  return actionsOf(events, asIs).map((action) => formatAction(stepsOf(action, asIs), terminal));
}

const asIs = (event: PanelEvent): PanelEvent => event;

function formatAction(steps: readonly ActionStep<PanelEvent>[], terminal: Terminal): string {
  const { width = Number.POSITIVE_INFINITY } = terminal;
  const time: Piece = { text: timeOf(steps[0]?.item.time), style: 'dim' };
  const change = changeOf(steps);
  const place = placeOf(steps);
  const padding = { text: ' '.repeat(Math.max(0, CHANGE_WIDTH - columnsOf(change))) };
  const line = [time, gap, ...change, ...(place.length > 0 ? [padding, gap, ...place] : [])];
  if (columnsOf(line) <= width) return styled(line, terminal);
  return [...flowed([time, gap, ...change], width, 0), ...flowed(place, width, INDENT)]
    .map((parts) => styled(parts, terminal))
    .join('\n');
}

const gap: Piece = { text: '  ' };

/** `2023-11-17 15:54Z`: UTC, as events have it. */
function timeOf(time = ''): string {
  const minute = printable(time).slice(0, 16).replace('T', ' ');
  return (minute && `${minute}Z`).padEnd(17);
}

function changeOf(steps: readonly ActionStep<PanelEvent>[]): readonly Piece[] {
  const name = printable(steps[0]?.row.name ?? '');
  return [
    ...(name === '' ? [] : [{ text: name, style: 'bold' } as const, gap]),
    ...steps.flatMap(({ row, separator }) => [{ text: separator }, ...renderPhrase(row.words, pieces)]),
    ...(steps.some(({ item }) => item.data.late) ? [gap, { text: 'late', style: 'yellow' } as const] : []),
  ];
}

const pieces: PieceRenderers<Piece> = {
  text: ({ text }) => ({ text: printablePart(text) }),
  rating: ({ rating }) => ({ text: ratingWord(rating), style: ratingStyles[rating] }),
  name: ({ text }) => ({ text: printablePart(text) }),
  link: ({ text }) => ({ text: printablePart(text) }),
};

function placeOf(steps: readonly ActionStep<PanelEvent>[]): readonly Piece[] {
  const [first] = steps;
  if (!first) return [];
  const { panel, entity, actor, change } = first.item.data;
  const title = panelTitle(panel);
  const version = cleanLine(panel?.version ?? '');
  const where =
    panel === null || first.row.name === title ? version && `version ${version}` : `${title} ${version}`;
  const isSaid = entity === null && 'version' in change && change.version === panel?.version;
  const parts = [isSaid ? '' : where, cleanLine(actor ?? '')].map(printable).filter(Boolean);
  const place: Piece[] = parts.length > 0 ? [{ text: parts.join(', ') }] : [];
  for (const { item } of steps) {
    const { quote } = eventWords(item);
    if (quote === null) continue;
    const text = `“${cutAtWord(printable(cleanLine(quote)), LONGEST_QUOTE)}”`;
    place.push(...(place.length > 0 ? [gap] : []), { text, style: 'dim' });
  }
  return place;
}

/** The parts in lines of at most `width` columns, broken between words; a longer word is cut. */
function flowed(parts: readonly Piece[], width: number, indent: number): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  let left = 0;
  for (const { text, style } of parts) {
    for (const part of text.match(/\s+|\S+/g) ?? []) {
      const isSpace = part.trim() === '';
      const size = widthOf(part);
      if (lines.length === 0 || (size > left && !isSpace)) {
        const before = Math.min(lines.length === 0 ? indent : INDENT, Math.max(0, width - 1));
        lines.push([{ text: ' '.repeat(before) }]);
        left = width - before;
        if (isSpace) continue;
      }
      const shown = truncated(part, Math.max(1, left));
      lines.at(-1)?.push({ text: isSpace && size > left ? '' : shown, ...(style && { style }) });
      left -= size;
    }
  }
  return lines;
}

function columnsOf(parts: readonly Piece[]): number {
  return parts.reduce((sum, { text }) => sum + widthOf(text), 0);
}

function styled(parts: readonly Piece[], { colours }: Terminal): string {
  const last = parts.findLastIndex(({ text }) => text.trim() !== '');
  const joined: Piece[] = [];
  for (const piece of parts.slice(0, last + 1)) {
    const before = joined.at(-1);
    if (before && before.style === piece.style)
      joined[joined.length - 1] = { ...before, text: before.text + piece.text };
    else joined.push(piece);
  }
  return joined
    .map(({ text, style }) => (style && colours ? styleText(style, text, { validateStream: false }) : text))
    .join('')
    .trimEnd();
}
