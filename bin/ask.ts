import { ask } from '../lambdas/questions/ask.ts';
import {
  type Answered,
  csvOf,
  htmlOf,
  jsonOf,
  ndjsonOf,
  shownColumns,
  titleOf,
} from '../lambdas/questions/documents.ts';
import { OptionError, type Texts } from '../lambdas/questions/options.ts';
import { exitCodeOf, type Place, type Question, type Times } from '../lambdas/questions/question.ts';
import { dayOf } from '../lambdas/run/day-of.ts';
import { instantOf, minutes, parseInstant } from '../lambdas/run/instant.ts';
import { printable } from '../lambdas/run/printable.ts';
import { phraseText } from '../lambdas/words/phrase.ts';
import { readChoice, readName, readOptions } from './arguments.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { historyOptions, historyUsage, openHistory } from './history-options.ts';
import { writeDocument } from './output.ts';
import { textTable } from './text-table.ts';

const { state, stage, config, table, name } = historyOptions;
const common = {
  ...{ state, stage, config, table, name },
  format: { type: 'string', default: 'table' },
  output: { type: 'string' },
} as const;

const formats = { table: tableOf, csv: csvOf, ndjson: ndjsonOf, json: jsonOf, html: htmlOf } as const;
const formatNames = Object.keys(formats) as (keyof typeof formats)[];

/** The command that asks a question. */
export const commandOf = (question: Question): Command => ({
  name: question.name,
  usage: usageOf(question),
  run: (args, io) => run(question, args, io),
});

async function run(question: Question, args: readonly string[], io: Io): Promise<number> {
  const declared = Object.entries(question.options).map(([option, { takes, isMultiple = false }]) => [
    option,
    takes === undefined ? { type: 'boolean' as const } : { type: 'string' as const, multiple: isMultiple },
  ]);
  const values: Readonly<Record<string, unknown>> = readOptions(args, {
    ...Object.fromEntries(declared),
    ...common,
  });
  const { format: wanted, output, name: catalogue, ...others } = values as typeof values & CommonValues;
  const format = readChoice('--format', wanted, formatNames);
  if (catalogue !== undefined) readName('--name', catalogue);
  const texts: Record<string, readonly string[]> = {};
  for (const option of Object.keys(question.options)) {
    const value = others[option];
    if (value === true) texts[option] = ['yes'];
    else if (value !== undefined) texts[option] = [value].flat().map(String);
  }
  const opened = await openHistory(others, io);
  try {
    const place: Place = {
      ...opened,
      states: opened.statesOf,
      catalogues: await opened.catalogues(),
      now: instantOf(io.clock.now()),
      times: utc,
    };
    const { answer, isWithheld } = await askHere(question, { texts, catalogue, place });
    const document = formats[format]({ question, answer, times: utc });
    if (!isWithheld) await writeDocument(document, output, io);
    for (const { sentence } of answer.limits) io.stderr.write(`${printable(sentence)}\n`);
    return exitCodeOf(answer.limits);
  } finally {
    opened.close();
  }
}

interface CommonValues {
  readonly format: string;
  readonly output?: string;
  readonly name?: string;
}

interface Asking {
  readonly texts: Texts;
  readonly catalogue: string | undefined;
  readonly place: Place;
}

async function askHere(question: Question, asking: Asking): ReturnType<typeof ask> {
  try {
    return await ask(question, asking);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new UsageError(`--${error.message}`, { cause: error });
  }
}

/** Days and times in UTC, as files have them. */
const utc: Times = {
  day: (at) => dayOf(at).slice(0, 10),
  moment: dayOf,
  startOf: (day, later = 0) => (parseInstant(`${day}T00:00:00Z`) ?? 0n) + BigInt(later) * minutes(24 * 60),
};

/** The answer for a person at a terminal. */
function tableOf({ question, answer, times }: Answered): string {
  const columns = shownColumns(question);
  const cell = (column: (typeof columns)[number], row: unknown): string => {
    const [words, note] = [column.phrase?.(row, times) ?? [], column.note?.(row, times) ?? []];
    return [phraseText(words), note.length > 0 ? `(${phraseText(note)})` : ''].filter(Boolean).join(' ');
  };
  const lists = answer.lists
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ what, rows }) => [
      '',
      `${titleOf(what).toUpperCase()} (${rows.length})`,
      ...textTable([
        columns.map(({ heading }) => heading.toLowerCase()),
        ...rows.map((row) => columns.map((column) => cell(column, row))),
      ]),
    ]);
  const lines = [...answer.lead.map(phraseText).map(printable), ...lists];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The width of a help. */
const HELP_WIDTH = 120;

/** What `--help` prints, from the declaration. */
function usageOf({ name: command, about, options, examples, sentence }: Question): string {
  const entries = Object.entries(options).map(([option, { help, takes, isMultiple }]) => {
    const start = `  --${option}${takes === undefined ? '' : ` ${takes}`}`.padEnd(22);
    return wrapped(`${start} ${help}${isMultiple ? '; several times for several' : ''}`, ' '.repeat(23));
  });
  const called = `gene-panel-notifier ${command}`;
  return [
    `${called} [options]`,
    '',
    wrapped(`${titleOf(sentence)}. ${about} What cannot be answered is named below the answer.`),
    '',
    'Options:',
    ...entries,
    historyUsage,
    '  --format FORMAT      table (default), csv, ndjson (one object a line), json (one document), or html (one page to print)',
    '  --output FILE        write to a file instead of printing; what the file held before is replaced',
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 a name is unknown or nothing was read, 4 done, and something is unknown.',
    '',
    'Examples:',
    ...examples.map((args) => `  ${`${called} ${args}`.trim()}`),
  ].join('\n');
}

/** Text in lines of the width of a help, all but the first indented. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) /)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= HELP_WIDTH) line = longer;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line].join('\n');
}
