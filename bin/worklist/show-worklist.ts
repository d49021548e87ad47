import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { filterWords } from '../../lambdas/filters/filter-words.ts';
import { askedEntries } from '../../lambdas/questions/worklist/asked-entries.ts';
import {
  type CaseCounts,
  caseCountsOf,
  worklistCsv,
  worklistNdjson,
} from '../../lambdas/questions/worklist/entry-rows.ts';
import { headlineOf, noticesOf, ratingsOf } from '../../lambdas/questions/worklist/entry-words.ts';
import { readWorklist } from '../../lambdas/questions/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import {
  askedWords,
  shownWords,
  type WorklistHeading,
  worklistHtml,
  worklistLimits,
} from '../../lambdas/questions/worklist/worklist-limits.ts';
import type { WorklistSettings } from '../../lambdas/questions/worklist/worklist-settings.ts';
import {
  type WorklistState,
  worklistStateForms,
  worklistStates,
} from '../../lambdas/questions/worklist/worklist-states.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { namesIn } from '../../lambdas/store/history/unknown-names.ts';
import { readChoice } from '../arguments.ts';
import { ioAsOf, printLeftOut } from '../as-of.ts';
import { type Io, UsageError } from '../command.ts';
import { readFilter } from '../filter-options.ts';
import { readCatalogueName, readPeriod } from '../history-options.ts';
import { caseFile, givenCaseForm, openCaseFile } from '../impact/case-file.ts';
import { writeDocument } from '../output.ts';
import { openAskedStates } from '../panel-state/open-asked-states.ts';
import { textTable } from '../terminal-text.ts';
import { openWorklist } from './open-worklist.ts';
import type { WorklistValues } from './worklist-options.ts';

const formats = {
  list: ['table', 'csv', 'ndjson'],
  export: ['html', 'csv', 'ndjson'],
} as const;
type Format = (typeof formats)[keyof typeof formats][number];

const unfinished: readonly WorklistState[] = ['open', 're-analyse', 'wait-for-sign-off'];

/**
 * Prints the entries of a worklist, and what is not in them. Returns the exit code.
 * @throws {UsageError} when an option is wrong
 */
export async function showWorklist(
  verb: 'list' | 'export',
  values: WorklistValues,
  present: Io,
): Promise<number> {
  const io = ioAsOf(values, present);
  const format: Format = readChoice('--format', values.format ?? formats[verb][0], formats[verb]);
  const states = readStates(values.status, verb === 'list' ? unfinished : worklistStates);
  const [stray] = values.catalogue === undefined ? givenCaseForm(values) : ['--catalogue'];
  if (values.cases === undefined && stray !== undefined)
    throw new UsageError(`${stray} goes with --cases FILE`);
  const filter = await readFilter(filterValues(values), io);
  const period = readPeriod(values, io);
  const opened = await openWorklist(values, io);
  try {
    const { place, settings } = opened;
    const now = instantOf(io.clock.now());
    const worklist = await readWorklist(place, {
      settings,
      ...readCatalogueName(values),
      ...period,
      filter,
      now,
    });
    const { overdue, assigned } = values;
    const shown = askedEntries(worklist.entries, {
      ...{ states, isOverdue: overdue === true },
      assigned: assigned === undefined ? undefined : assigned === 'none' ? null : [assigned],
    });
    const cases =
      values.cases === undefined
        ? undefined
        : await countCases(shown, values.cases, { values, settings }, io);
    const heading: WorklistHeading = {
      at: `${new Date(io.clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      shown: shownWords(worklist, shown),
      limits: [...worklistLimits(worklist), ...(cases?.limit ? [cases.limit] : [])],
      asked: askedWords(settings, filterWords({ ...settings.filter, ...filter }, await namesIn(place))),
    };
    await writeDocument(documentOf(shown, { format, heading, counts: cases?.counts }), values.output, {
      ...io,
      isPersonal: true,
    });
    for (const sentence of heading.limits) io.stderr.write(`${printable(sentence)}\n`);
    printLeftOut(values, io);
    if (!worklist.limits.isAnswer) return 3;
    return cases?.limit ? 1 : 0;
  } finally {
    opened.close();
  }
}

function filterValues(values: WorklistValues): Parameters<typeof readFilter>[0] {
  const {
    panel,
    gene,
    'panel-type': panelType,
    'r-code': rCode,
    'genes-file': file,
    'entity-type': type,
  } = values;
  return { panel, gene, 'panel-type': panelType, 'r-code': rCode, 'genes-file': file, 'entity-type': type };
}

interface Shown {
  readonly format: Format;
  readonly heading: WorklistHeading;
  readonly counts: CaseCounts | undefined;
}

function documentOf(entries: readonly WorklistEntry[], { format, heading, counts }: Shown): string {
  switch (format) {
    case 'table':
      return `${heading.shown}\n${worklistTable(entries, counts)}`;
    case 'html':
      return worklistHtml(entries, heading, counts);
    case 'csv':
      return worklistCsv(entries, [heading.shown, ...heading.limits], counts);
    case 'ndjson':
      return worklistNdjson(entries, counts);
    default:
      return format satisfies never;
  }
}

function readStates(
  given: readonly string[] | undefined,
  usual: readonly WorklistState[],
): readonly WorklistState[] {
  if (given === undefined) return usual;
  const asked = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  return asked.flatMap((text) => {
    const state = readChoice('--status', text, [...worklistStates, 'all']);
    return state === 'all' ? worklistStates : state;
  });
}

async function countCases(
  entries: readonly WorklistEntry[],
  file: string,
  { values, settings }: { readonly values: WorklistValues; readonly settings: WorklistSettings },
  io: Io,
): ReturnType<typeof caseCountsOf> {
  const { state, stage, config, name, catalogue: url } = values;
  // A folder needs no settings to be read.
  const { opened, catalogue, close } = await openAskedStates(
    { state, stage, config: stage === undefined ? undefined : config, name, catalogue: url },
    io,
  );
  try {
    const cases = { ...(await openCaseFile(caseFile(file, values, io), io)), counts: settings.counts };
    return await caseCountsOf(entries, cases, { opened, catalogue, clock: io.clock });
  } finally {
    await close();
  }
}

/** So much of an id is shown: `decide` takes it. */
const SHOWN_ID = 12;

/** The entries for a person, and below each what happened since and what was decided. */
function worklistTable(entries: readonly WorklistEntry[], counts?: CaseCounts): string {
  if (entries.length === 0) return '';
  const [heading, ...rows] = textTable([
    ['id', 'state', 'change', 'panel', 'made on', ...(counts ? ['cases'] : [])],
    ...entries.map((entry) => cellsOf(entry, counts)),
  ]);
  const blocks = entries.flatMap((entry, at) => [
    rows[at] ?? '',
    ...detailsOf(entry).map((line) => `    ${printable(line)}`),
  ]);
  return [heading ?? '', ...blocks, ''].join('\n');
}

function cellsOf(entry: WorklistEntry, counts: CaseCounts | undefined): readonly string[] {
  const { id, panel, at, state, isOverdue } = entry;
  const ratings = ratingsOf(entry);
  const codes = rCodesIn(panel.disorders);
  const version = panel.version === null ? '' : ` ${panel.version}`;
  const count = counts?.get(id);
  return [
    id.slice(0, SHOWN_ID),
    `${worklistStateForms[state].words}${isOverdue ? ', overdue' : ''}${entry.assignee === null ? '' : `, ${entry.assignee}`}`,
    `${headlineOf(entry)}${ratings === null ? '' : ` (${ratings})`}`,
    `${panel.name}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}${version}`,
    at.slice(0, 10),
    ...(counts ? [count ? `${count.unknown > 0 ? '≥ ' : ''}${count.cases}` : ''] : []),
  ];
}

function detailsOf(entry: WorklistEntry): readonly string[] {
  const last = entry.decisions.at(-1);
  return [
    ...noticesOf(entry),
    ...(last
      ? [
          `${moment(last.at)} ${last.by} decided “${worklistStateForms[last.state].words}”: ${last.why} (revision ${last.number})`,
        ]
      : []),
    ...entry.comments.map(({ by, at, text }) => `${moment(at)} ${by}: ${text}`),
  ];
}

const moment = (at: string): string => `${at.slice(0, 16).replace('T', ' ')}Z`;
