import type { Writable } from 'node:stream';
import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { safeJson } from '../lambdas/run/safe-json.ts';
import { makeOwnFile } from '../lambdas/store/make-directory.ts';
import { openWholeLines } from '../lambdas/store/whole-lines.ts';
import { byteOrderMark, csvLine } from '../lambdas/words/csv.ts';
import { eventColumns, eventLine, eventNote } from '../lambdas/words/event-csv.ts';
import { type Io, UsageError } from './command.ts';
import { inSection, text } from './declare-command.ts';
import { unwritable } from './output-error.ts';
import { formatEvents } from './show-event.ts';
import { terminalOf } from './terminal-text.ts';

/** The options that say how and where events are written. */
export const outputOptions = inSection(
  { heading: 'Output:' },
  {
    format: text(
      'FORMAT',
      'ndjson: one event a line, as published; table: for reading; csv: for a spreadsheet',
    ),
    output: text('FILE', 'append the lines to a file instead of printing them'),
  },
);

/** The option of a command that writes a document. */
export const replacedFile = text(
  'FILE',
  'write to a file instead of printing; what the file held before is replaced',
);

const formats = ['table', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Where whole lines go: standard output or a file. */
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

/** An event, with its body where it is at hand: `ndjson` prints that, byte for byte. */
export interface PrintedEvent {
  readonly event: PanelEvent;
  readonly body?: string;
}

/** Where a command writes events, in the format that was asked for. */
export interface EventOutput {
  /** @throws {OutputError} when the events cannot be written whole */
  write(events: readonly PrintedEvent[]): Promise<void>;
  /**
   * Writes what limits the list where the format has room for it: a line of a CSV, which outlives what the terminal shows.
   * @throws {OutputError} when it cannot be written whole
   */
  note(what: string, sentence: string): Promise<void>;
  close(): void;
}

/** @throws {UsageError} when there is no such format */
export function readFormat(text: string | undefined, usual: Format): Format {
  const format = text === undefined ? usual : formats.find((known) => known === text);
  if (format) return format;
  throw new UsageError(`--format ${JSON.stringify(text)}: expected ${formats.join(', ')}`);
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
  const linesOf = (printed: readonly PrintedEvent[]): readonly string[] => {
    if (format === 'csv') return printed.map(({ event }) => eventLine(event));
    const lines =
      format === 'table'
        ? formatEvents(
            printed.map(({ event }) => event),
            shown,
          )
        : printed.map((each) => safeJson(each.body ?? JSON.stringify(each.event)));
    return lines.map((line) => `${line}\n`);
  };
  const write = async (lines: readonly string[]): Promise<void> => {
    const texts = headed ? lines : [byteOrderMark + csvLine(eventColumns), ...lines];
    if (texts.length === 0) return;
    // One text of them all would be copied twice, with two bytes for each letter.
    await output.write(Buffer.concat(texts.map((text) => Buffer.from(text))));
    headed = true;
  };
  return {
    write: (events) => write(linesOf(events)),
    async note(what, sentence) {
      if (format === 'csv') await write([eventNote(what, sentence)]);
    },
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
