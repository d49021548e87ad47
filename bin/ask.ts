import { createCatalogue } from '../lambdas/catalogue/client.ts';
import { createOnDemandStates } from '../lambdas/panels/read-on-demand.ts';
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
import { OptionError, readAsked } from '../lambdas/questions/options.ts';
import type { Texts } from '../lambdas/questions/question.ts';
import { exitCodeOf, type Place, type Question, utcTimes } from '../lambdas/questions/question.ts';
import { instantOf } from '../lambdas/run/instant.ts';
import { printable } from '../lambdas/run/printable.ts';
import { phraseText } from '../lambdas/words/phrase.ts';
import { openAccess } from './access.ts';
import { readCatalogue, readChoice, readName } from './arguments.ts';
import { asOfOptions, ioAsOf, printLeftOut } from './as-of.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { declareWithOperands, flag, text, texts } from './declare-command.ts';
import { filterOptions, genesIn } from './filter-options.ts';
import { allowYoungObjects } from './heap.ts';
import { historyOptions, openHistory } from './history-options.ts';
import { identityOptions } from './identity/identity-options.ts';
import { readInput } from './input.ts';
import { logLines } from './log-lines.ts';
import { replacedFile, writeDocument } from './output.ts';
import { createProgress } from './progress.ts';
import { textTable } from './terminal-text.ts';

const { state, stage, config, table, name } = historyOptions;
const common = {
  ...{ state, stage, config, table, name },
  ...asOfOptions,
  format: text(
    'FORMAT',
    'table, csv, ndjson (one object a line), json (one document), or html (one page to print)',
    'table',
  ),
  output: replacedFile,
};

/** The options of a question that may ask a catalogue. */
const ofCatalogue = {
  catalogue: text('URL', 'ask this catalogue for a state that is not kept; without it, nothing is asked'),
  ...identityOptions,
};

const formats = { table: tableOf, csv: csvOf, ndjson: ndjsonOf, json: jsonOf, html: htmlOf } as const;
const formatNames = Object.keys(formats) as (keyof typeof formats)[];

/** The command that asks a question. */
export const commandOf = (question: Question): Command => {
  const { name, about, options, examples, sentence, asksCatalogue = false, formats: own = {} } = question;
  const positional = Object.values(options).find(({ isPositional }) => isPositional);
  const named = Object.entries(options).filter(([, option]) => option !== positional);
  const declared = named.map(([option, { help, takes, isMultiple = false }]) => {
    if (takes === undefined) return [option, flag(help)] as const;
    return [
      option,
      isMultiple ? texts(takes, `${help}; several times for several`) : text(takes, help),
    ] as const;
  });
  return declareWithOperands({
    name,
    ...(positional && { synopsis: [`[${positional.takes}...] [options]`] }),
    about: [
      `${titleOf(sentence)}. ${about} What cannot be answered is named below the answer.`,
      ...(positional ? [`${positional.takes}: ${positional.help}.`] : []),
    ],
    options: {
      ...Object.fromEntries(declared),
      ...('gene' in options && { 'genes-file': filterOptions['genes-file'] }),
      ...(asksCatalogue && ofCatalogue),
      ...common,
      format: { ...common.format, help: [common.format.help, ...Object.keys(own)].join('; or ') },
    },
    exitCodes:
      '0 done, 1 failed, 2 wrong arguments, 3 a name is unknown or nothing was read, 4 done, and something is unknown',
    examples: examples.map((args) => `$0 ${name} ${args}`.trim()),
    run(values, operands, io) {
      if (operands.length > 0 && !positional)
        throw new UsageError(`saw ${JSON.stringify(operands[0])}; expected options only`);
      return run(question, { values, operands }, io);
    },
  });
};

interface Given {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

async function run(question: Question, { values, operands }: Given, present: Io): Promise<number> {
  const {
    format: wanted,
    output,
    name: catalogue,
    'genes-file': file,
    ...others
  } = values as typeof values & CommonValues;
  const io = ioAsOf(others, present);
  const format = readChoice('--format', wanted, [...formatNames, ...Object.keys(question.formats ?? {})]);
  if (catalogue !== undefined) readName('--name', catalogue);
  const texts: Record<string, readonly string[]> = {};
  if (file !== undefined) texts.gene = await genesIn(file, io);
  for (const [option, { isPositional, isFile }] of Object.entries(question.options)) {
    const value = isPositional ? operands : others[option];
    if (isFile && typeof value === 'string') texts[option] = [(await readInput(value, io)).text];
    else if (value === true) texts[option] = ['yes'];
    else if (value !== undefined && value !== false)
      texts[option] = [...(texts[option] ?? []), ...[value].flat().map(String)];
  }
  // What is wrong is said before anything is opened.
  orUsage(() => readAsked(question.options, texts, { now: instantOf(io.clock.now()), times: utcTimes }));
  const url = others.catalogue === undefined ? undefined : readCatalogue('--catalogue', others.catalogue);
  const opened = await openHistory({ ...others, name: catalogue }, io, url);
  const asking = url === undefined ? null : openArchive(url, others, io);
  const { show, end } = createProgress(io, 'events');
  try {
    const place: Place = {
      ...opened,
      states: opened.statesOf,
      catalogues: await opened.catalogues(),
      archive: asking?.archive ?? null,
      now: instantOf(io.clock.now()),
      times: utcTimes,
      progress: {
        show(read, total) {
          // Each event dies soon after it was read.
          allowYoungObjects();
          show(read, total);
        },
        end,
      },
    };
    const { asked, answer } = await askHere(question, { texts, catalogue, place });
    const answered = { question, answer, times: utcTimes };
    // A file outlives what the terminal shows below the table.
    const limits = format === 'table' && output !== undefined ? limitLines(answered) : '';
    const own = question.formats?.[format]?.write({ asked, lists: answer.lists });
    const document = own?.text ?? formats[format as keyof typeof formats](answered);
    await writeDocument(`${document}${limits}`, output, io);
    for (const note of own?.notes ?? []) io.stderr.write(`${printable(note)}\n`);
    io.stderr.write(limitLines(answered));
    printLeftOut(others, io);
    return exitCodeOf(answer.limits);
  } finally {
    opened.close();
    await asking?.close();
  }
}

/** The archive of a catalogue that may be asked. */
function openArchive(url: string, values: Parameters<typeof openAccess>[0], io: Io) {
  const log = logLines(io);
  const { access, close } = openAccess(values, io, log);
  const { clock, signal } = io;
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log, signal });
  const closeAll = async (): Promise<void> => {
    await catalogue.close();
    await close();
  };
  const archive = {
    ...createOnDemandStates({ catalogue, clock }),
    panels: () => catalogue.panels(),
    client: catalogue,
  };
  return { archive, close: closeAll };
}

interface CommonValues {
  readonly format: string;
  readonly output?: string;
  readonly name?: string;
  readonly 'genes-file'?: string;
  readonly catalogue?: string;
  readonly 'as-of'?: string;
  readonly 'left-out'?: boolean;
}

interface Asking {
  readonly texts: Texts;
  readonly catalogue: string | undefined;
  readonly place: Place;
}

const askHere = (question: Question, asking: Asking): ReturnType<typeof ask> =>
  ask(question, asking).catch(asUsage);

function orUsage<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    return asUsage(error);
  }
}

function asUsage(error: unknown): never {
  if (!(error instanceof OptionError)) throw error;
  throw new UsageError(`--${error.message}`, { cause: error });
}

const limitLines = ({ answer: { limits } }: Answered): string =>
  limits.map(({ sentence }) => `${printable(sentence)}\n`).join('');

/** The answer for a person at a terminal. */
function tableOf({ question, answer, times }: Answered): string {
  const columns = shownColumns({ question, answer });
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
  const lines = [
    ...(answer.scope ? [printable(answer.scope.join(' · '))] : []),
    ...answer.lead.map(phraseText).map(printable),
    ...lists,
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
