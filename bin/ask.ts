import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { ask, asOfOptions as declared, leftOutWords } from '../lambdas/questions/ask.ts';
import { type Answered, csv, htmlOf, jsonOf, ndjson, shownColumns } from '../lambdas/questions/documents.ts';
import { readAsked } from '../lambdas/questions/options.ts';
import { exitCodeOf, type Place, type Question, utcTimes } from '../lambdas/questions/question.ts';
import { formatInstant, millisecondsOf } from '../lambdas/run/instant.ts';
import { capitalize, printable } from '../lambdas/run/text.ts';
import { phraseText } from '../lambdas/words/phrase.ts';
import { identityOptions, openAccess } from './access.ts';
import { asUsage, catalogueAddress, momentOf, oneOf, orUsage, readInput } from './arguments.ts';
import { allowYoungObjects, type Command, type Io, UsageError } from './command.ts';
import {
  asCommandOptions,
  declareWithOperands,
  flag,
  type OptionValues,
  text,
  textsOf,
  value,
} from './declare-command.ts';
import { genesFile, genesIn, historyOptions, openHistory, worklistSettingsIn } from './history-options.ts';
import { defaultState, openForReading } from './local/open-state.ts';
import { formatEvents, openOutput, replacedFile } from './output.ts';
import { createProgress, logLines, type Terminal, terminalOf, textTable } from './terminal.ts';

const asOfOptions = {
  'as-of': text(
    declared['as-of'].takes,
    `${declared['as-of'].help}. A day is one of UTC, and the answer has the bytes that it had then`,
  ),
  'left-out': flag(declared['left-out'].help.replace('as-of', '--as-of')),
};

/**
 * What a command uses of the process, at the time that `--as-of` gives.
 * @param isOfEvents whether events alone answer, of which the tables of a stage keep when each was recorded
 * @throws {UsageError} when that time cannot be read or is not over, or goes with another option that was given
 */
function ioAsOf(
  values: Partial<CommonValues>,
  io: Io,
  { isOfEvents = false }: Pick<Question, 'isOfEvents'> = {},
): Io {
  const { 'as-of': given, 'left-out': sayLeftOut = false } = values;
  if (given === undefined) {
    if (sayLeftOut) throw new UsageError('--left-out goes with --as-of only');
    return io;
  }
  for (const option of ['stage', 'table'] as const) {
    if (values[option] === undefined) continue;
    if (!isOfEvents)
      throw new UsageError(
        `--as-of does not go with --${option} here: a table keeps when each event was recorded, and each state as it is now. Ask a folder that watch fills; state and compare also answer with --table from the history table, restored as it was then (point-in-time recovery)`,
      );
    if (sayLeftOut) throw new UsageError(`--left-out does not go with --${option}: a folder counts it`);
  }
  if (values.catalogue !== undefined)
    throw new UsageError('--as-of does not go with --catalogue: a catalogue answers as of now');
  const present = momentOf(io);
  const at = orUsage(() => declared['as-of'].read([given], present), '--as-of') ?? present.now;
  return { ...io, asOf: at, present: io.clock, clock: { ...io.clock, now: () => millisecondsOf(at) } };
}

async function printLeftOut(values: Partial<CommonValues>, { asOf, stderr }: Io): Promise<void> {
  if (asOf === undefined || !values['left-out']) return;
  const { leftOutSince } = await import('../lambdas/panels/sqlite-as-of.ts');
  const file = openForReading(values.state ?? defaultState);
  try {
    stderr.write(
      `Left out, because it was recorded after ${formatInstant(asOf)}: ${leftOutWords(leftOutSince(file, asOf))}.\n`,
    );
  } finally {
    file.close();
  }
}

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

const ofCatalogue = {
  catalogue: value(
    'URL',
    'ask this catalogue for a state that is not kept; without it, nothing is asked',
    catalogueAddress,
  ),
  ...identityOptions,
};

const documents: Readonly<Record<string, (answered: Answered, terminal: Terminal) => string>> = {
  table: tableOf,
  json: jsonOf,
  html: htmlOf,
};
const lineFormats: Readonly<Record<string, typeof csv>> = { csv, ndjson };
const formatNames = ['table', 'csv', 'ndjson', 'json', 'html'];

/** `list what a panel held` as other commands say of themselves: `lists what a panel held`. */
const thirdPerson = (sentence: string): string =>
  sentence.replace(/^\w+/, (verb) => `${verb}${verb.endsWith('ch') ? 'es' : 's'}`);

/** The command that asks a question. */
export const commandOf = (question: Question): Command => {
  const { name, about, options, examples, sentence, asksCatalogue = false, formats: own = {} } = question;
  const notAsOf = [...(asksCatalogue ? ['--catalogue'] : []), ...(question.isOfEvents ? [] : ['--stage'])];
  const positional = Object.values(options).find(({ isPositional }) => isPositional);
  const named = Object.entries(options).filter(
    ([, option]) => option !== positional && option.isFor !== 'programs',
  );
  const declared = named.map(
    ([option, each]) =>
      [option, each.isMultiple ? { ...each, help: `${each.help}; may be repeated` } : each] as const,
  );
  return declareWithOperands({
    name,
    ...(positional && { synopsis: [`[${positional.takes}...] [options]`] }),
    about: [
      `${capitalize(thirdPerson(sentence))}. ${about} What cannot be answered is named below the answer.`,
      ...(positional ? [`${positional.takes}: ${positional.help}.`] : []),
    ],
    options: {
      ...asCommandOptions(Object.fromEntries(declared)),
      ...('gene' in options && { 'genes-file': genesFile }),
      ...(asksCatalogue && ofCatalogue),
      ...common,
      'as-of': {
        ...common['as-of'],
        help: [
          common['as-of'].help,
          ...(notAsOf.length > 0 ? [`Not with ${notAsOf.join(' or ')}`] : []),
        ].join('. '),
      },
      format: {
        ...common.format,
        help: [common.format.help, Object.keys(own).join(', ')].filter(Boolean).join('; or '),
        read: oneOf([...formatNames, ...Object.keys(own)]),
      },
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
    format,
    output,
    name: catalogue,
    'genes-file': genes,
    ...others
  } = values as typeof values & CommonValues;
  const io = ioAsOf(others, present, question);
  const given: Record<string, unknown> = {};
  for (const [option, { isPositional, isFile, takes }] of Object.entries(question.options)) {
    const value = isPositional ? operands : others[option];
    if ([value].flat().includes('')) throw new UsageError(`--${option} "": expected ${takes}`);
    given[option] = isFile && typeof value === 'string' ? (await readInput(value, io)).text : value;
  }
  if (genes !== undefined) given.gene = [...(await genesIn(genes, io)), ...[given.gene ?? []].flat()];
  const texts = textsOf(given, Object.keys(given));
  // What is wrong is said before anything is opened.
  orUsage(() => readAsked(question.options, texts, momentOf(io)));
  const { stage, config, catalogue: url } = others;
  const settings = question.name === 'worklist' ? await worklistSettingsIn({ config, stage }, io) : undefined;
  const named = { ...others, name: catalogue, ...(settings && { config: stage && config }) };
  const opened = await openHistory(named, io, { url, isOfEvents: question.isOfEvents });
  const asking = url === undefined ? null : await openArchive(url, ...catalogueAccess(others, io));
  const { show, end } = createProgress(io, 'events');
  const lines = lineFormats[format]?.(question);
  let file: ReturnType<typeof openOutput> | undefined;
  const write = async (text: string): Promise<void> => {
    const begun = file !== undefined;
    file ??= openOutput(output, io, { replaces: true, isPersonal: question.isOfPeople ?? false });
    await file.write(begun ? text : `${lines?.head ?? ''}${text}`);
  };
  try {
    const place: Place = {
      ...opened,
      worklist: settings ? { store: await opened.worklist(), settings } : null,
      async openCases(cases) {
        const { openCases } = await import('./cases.ts');
        return openCases(cases, others as Parameters<typeof openAccess>[0], io);
      },
      states: opened.statesOf,
      catalogues: await opened.catalogues(),
      archive: asking?.archive ?? null,
      ...momentOf(io),
      progress: {
        show(read, total) {
          // Each event dies soon after it was read.
          allowYoungObjects('answer');
          // On a terminal that shows the rows, they are the progress.
          if (!file || output !== undefined || !io.stdout.isTTY) show(read, total);
        },
        end,
      },
      ...(lines && { write: (rows) => write(lines.lines([{ what: '', rows }])) }),
    };
    const { asked, answer } = await ask(question, { texts, catalogue, place }).catch(asUsage);
    const answered = { question, answer, times: utcTimes };
    // A file outlives what the terminal shows below the table.
    const limits = format === 'table' && output !== undefined ? limitLines(answered) : '';
    const own = await question.formats?.[format]?.write({ asked, lists: answer.lists });
    const terminal =
      output === undefined ? terminalOf(io.stdout, io.env) : { colours: false, width: undefined };
    const document =
      own?.text ??
      documents[format]?.(answered, terminal) ??
      `${lines?.lines(answer.lists)}${lines?.end(answer)}`;
    // Neither lines nor a file of them say that there are none.
    if (lines && !file && answer.lists.every(({ rows }) => rows.length === 0))
      io.stderr.write(answer.lead.map((words) => `${printable(phraseText(words))}\n`).join(''));
    await write(`${document}${limits}`);
    for (const note of own?.notes ?? []) io.stderr.write(`${printable(note)}\n`);
    io.stderr.write(limitLines(answered));
    await printLeftOut(others, io);
    return exitCodeOf(answer.limits);
  } finally {
    file?.close();
    opened.close();
    await asking?.close();
  }
}

/** The token of the identity provider is for the interpretation API alone, where the cases come from there. */
function catalogueAccess<Values extends { readonly 'from-interpretation'?: string | undefined }>(
  values: Values,
  io: Io,
): [Values, Io] {
  if (values['from-interpretation'] === undefined) return [values, io];
  const { AUTH_URL: _url, ...env } = io.env;
  return [
    { ...values, 'auth-url': undefined },
    { ...io, env },
  ];
}

async function openArchive(url: string, values: Parameters<typeof openAccess>[0], io: Io) {
  const [{ createCatalogue }, { createOnDemandStates }] = await Promise.all([
    import('../lambdas/catalogue/client.ts'),
    import('../lambdas/panels/find-state.ts'),
  ]);
  const log = logLines(io);
  const { access, close } = await openAccess(values, io, log);
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

type CommonValues = OptionValues<typeof common & Pick<typeof ofCatalogue, 'catalogue'>> & {
  readonly 'genes-file'?: string;
  readonly 'from-interpretation'?: string;
};

const limitLines = ({ answer: { limits } }: Answered): string =>
  limits.map(({ sentence }) => `${printable(sentence)}\n`).join('');

function tableOf({ question, answer, times }: Answered, terminal: Terminal): string {
  const columns = shownColumns({ question, answer });
  const cell = (column: (typeof columns)[number], row: unknown): string => {
    const [words, note] = [column.phrase?.(row, times) ?? [], column.note?.(row, times) ?? []];
    return [phraseText(words), note.length > 0 ? `(${phraseText(note)})` : ''].filter(Boolean).join(' ');
  };
  const across = columns.filter(({ kind }) => kind !== 'details');
  const below = columns.filter(({ kind }) => kind === 'details');
  const tableLines = (rows: readonly unknown[]): readonly string[] => {
    // A list may have no words for a column that others have.
    const filled = across.filter((column) => rows.some((row) => cell(column, row) !== ''));
    const [head = '', ...lines] = textTable([
      filled.map(({ heading }) => heading.toLowerCase()),
      ...rows.map((row) => filled.map((column) => cell(column, row))),
    ]);
    const details = (row: unknown): readonly string[] =>
      below
        .map((column) => [column.heading.toLowerCase(), cell(column, row)] as const)
        .flatMap(([heading, words]) => (words === '' ? [] : [`    ${heading}: ${printable(words)}`]));
    return [head, ...rows.flatMap((row, at) => [lines[at] ?? '', ...details(row)])];
  };
  if (question.rowsAre === 'events') {
    const events = answer.lists.flatMap(({ rows }) => rows as readonly PanelEvent[]);
    const lines = [...answer.lead.map(phraseText).map(printable), ...formatEvents(events, terminal)];
    return lines.map((line) => `${line}\n`).join('');
  }
  const lists = answer.lists
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ what, rows }) => [
      '',
      `${capitalize(what).toUpperCase()} (${rows.length})`,
      ...tableLines(rows),
    ]);
  const lines = [
    ...(answer.scope ? [printable(answer.scope.join(' · '))] : []),
    ...answer.lead.map(phraseText).map(printable),
    ...lists,
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
