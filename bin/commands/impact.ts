import { hash } from 'node:crypto';
import * as z from 'zod';
import { readListing } from '../../lambdas/catalogue/http/listing.ts';
import { createInterpretationApi } from '../../lambdas/catalogue/interpretation/application-client.ts';
import { errorsOf } from '../../lambdas/catalogue/interpretation/errors.ts';
import { identityOf } from '../../lambdas/panels/entity-identity.ts';
import { findState } from '../../lambdas/panels/find-state.ts';
import type { AnalysedCase } from '../../lambdas/questions/impact/analysis.ts';
import { CasesError } from '../../lambdas/questions/impact/cases-error.ts';
import { type Impact, impactOf } from '../../lambdas/questions/impact/impact.ts';
import { caseRows, changeRows, rowWriter } from '../../lambdas/questions/impact/impact-rows.ts';
import type { Counted } from '../../lambdas/questions/impact/impact-states.ts';
import { countsWords, type ImpactHeading } from '../../lambdas/questions/impact/impact-words.ts';
import { countedState, panelsUnread, statesOfCases } from '../../lambdas/questions/impact/states-of-cases.ts';
import { assemblies, type NamedState, stateBed } from '../../lambdas/questions/state-bed.ts';
import { dayOf, instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { readPartsOf } from '../../lambdas/store/history/read-part.ts';
import { unreadEnd } from '../../lambdas/store/history/unread-end.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { readAddress, readChoice } from '../arguments.ts';
import { asOfOptions, ioAsOf, printLeftOut } from '../as-of.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, text } from '../declare-command.ts';
import { identityOptions, readIdentity } from '../identity/identity-options.ts';
import { openIdentity } from '../identity/open-identity.ts';
import {
  type CaseMapping,
  caseFile,
  caseFormOptions,
  geneList,
  givenCaseForm,
  impactHtml,
  impactTable,
  mapCase,
  openCaseFile,
  readForm,
  readMapping,
} from '../impact/case-file.ts';
import { readInput } from '../input.ts';
import { logLines } from '../log-lines.ts';
import { openOutput, replacedFile, writeDocument } from '../output.ts';
import { openAskedStates } from '../panel-state/open-asked-states.ts';
import { type OpenPanelStates, panelStateOptions } from '../panel-state/open-panel-states.ts';

/** The options that say where cases are. */
const caseOptions = {
  cases: text(
    'FILE',
    'CSV with headings (commas, semicolons or tabs), or one JSON object a line (.ndjson); "-" reads CSV from standard input',
  ),
  ...caseFormOptions,
  'from-interpretation': text(
    'URL',
    'reads the cases of the interpretation API at this address, with a token of the identity provider; each item of its list counts as a line. The catalogue of --catalogue is then asked without credentials',
  ),
  path: text('PATH', 'the list below that address (default: interpretation-request)'),
  mapping: text(
    'FILE',
    'where an item names its case and panels, in JSON pointers: {"case": "/referral/id", "panels": "/panels", "panel": "/panelId", "version": "/panelVersion", "date": "/day"}; each may be a list, of which the first that finds something counts. The shapes of the sandbox and {"caseId", "panels": [{"panelName" or "panelId", "panelVersion"}]} need no mapping',
  ),
};

type Values = OptionValues<typeof caseOptions & typeof identityOptions>;

/** Where cases are. */
interface CaseSource {
  /** For messages. */
  readonly name: string;
  /** What a line of a case is: of a file, or an item of a list. */
  readonly line: 'line' | 'item';
  /** Which column is taken for what, where that is to be said. */
  readonly form: string | null;
  /** A sentence where cases may be missing. */
  readonly incomplete: string | null;
  /** The cases, line by line; it may be called again. */
  read(): AsyncIterable<AnalysedCase>;
}

/**
 * Opens the file of cases, or reads those of the interpretation API.
 * @throws {UsageError} when the options are wrong
 * @throws {CasesError | InterpretationError} when the cases cannot be read
 */
async function openCases(values: Values, io: Io): Promise<CaseSource> {
  const { cases: file, 'from-interpretation': baseUrl, path, mapping } = values;
  if ((file === undefined) === (baseUrl === undefined)) {
    throw new UsageError('give one of --cases FILE and --from-interpretation URL');
  }
  if (baseUrl === undefined || baseUrl === '') {
    if (path !== undefined || mapping !== undefined)
      throw new UsageError('--path and --mapping go with --from-interpretation');
    const name = file ?? '';
    const { read, sentence } = await openCaseFile(caseFile(name, readForm(values, io), io), io);
    return {
      name: `--cases ${JSON.stringify(name)}`,
      line: 'line',
      form: sentence,
      incomplete: null,
      read,
    };
  }
  const [given] = givenCaseForm(values);
  if (given !== undefined) throw new UsageError(`${given} goes with --cases; give --mapping FILE`);
  const text = mapping === undefined ? undefined : (await readInput(mapping, io)).text;
  const parts = (path ?? 'interpretation-request').replace(/^\//, '').split('/');
  const asked = { baseUrl, path: parts, mapping: readMapping(text, mapping ?? ''), identity: values };
  const { cases, complete } = await casesOfInterpretation(asked, io);
  return {
    name: '--from-interpretation',
    line: 'item',
    form: null,
    incomplete: complete
      ? null
      : 'The list of cases changed while it was read, or states another number of cases: some may be missing. Run the command again.',
    async *read() {
      yield* cases;
    },
  };
}

/** Done, and of some cases something is unknown. */
const SOMETHING_UNKNOWN = 4;

const formats = ['table', 'csv', 'ndjson', 'html', 'genes', 'bed'] as const;
type Format = (typeof formats)[number];
/** The formats with sentences above the answer. */
const namesWhatIsUnread: readonly Format[] = ['table', 'html'];

const options = {
  ...caseOptions,
  counts: text(
    'WHICH',
    'working: the newest version of each panel; signed-off: the version that is signed off',
    'working',
  ),
  'without-inheritance': flag('leave out green genes whose mode of inheritance changed'),
  by: text(
    'WHAT',
    'change: "PALB2 on Breast cancer: 214 cases"; case: a row for each change of each case',
    'change',
  ),
  ...panelStateOptions,
  ...asOfOptions,
  format: text(
    'FORMAT',
    'table, csv, ndjson, html; genes: HGNC ids or names of what is green now, one a line; bed: the places of what is green now',
    'table',
  ),
  assembly: text('BUILD', 'of a bed: GRCh38 (default) or GRCh37'),
  output: replacedFile,
  ...identityOptions,
};

async function run(values: OptionValues<typeof options>, present: Io): Promise<number> {
  const io = ioAsOf(values, present);
  const counts = readChoice('--counts', values.counts, ['working', 'signed-off'] as const);
  const by = readChoice('--by', values.by, ['change', 'case'] as const);
  const format = readChoice('--format', values.format, formats);
  if (by === 'case' && format !== 'csv' && format !== 'ndjson') {
    throw new UsageError('--by case goes with --format csv or ndjson');
  }
  if (values.assembly !== undefined && format !== 'bed')
    throw new UsageError('--assembly goes with --format bed');
  const assembly = readChoice('--assembly', values.assembly ?? 'GRCh38', assemblies);
  const source = await openCases(values, io);
  const { opened, catalogue, close } = await openAskedStates(...catalogueAccess(values, io));
  try {
    const of = { opened, catalogue, clock: io.clock };
    const impact = await impactOf(source.read(), statesOfCases(of, counts), {
      inheritance: !values['without-inheritance'],
    });
    if (impact.cases === 0) throw new UsageError(`${source.name}: it holds no case`);
    const ofStates = impact.withUnknown > 0 ? await panelsUnread(of) : [];
    const unread = catalogue ? [] : [...(await unreadIn(opened, io)), ...ofStates];
    const heading = { ...headingOf(counts, source, io), unread };
    if (by === 'case') await writeRows(caseRows(impact, source.read()), format, values.output, io);
    else if (format === 'bed') await writeBed(await impactBed(impact, { of, counts, assembly }), values, io);
    else await writeDocument(documentOf(impact, format, heading), values.output, { ...io, isPersonal: true });
    if (by === 'case' || !namesWhatIsUnread.includes(format))
      for (const sentence of unread) io.stderr.write(`${printable(sentence)}\n`);
    printLeftOut(values, io);
    if (source.incomplete !== null) io.stderr.write(`${source.incomplete}\n`);
    const code = source.incomplete === null ? 0 : 1;
    if (impact.withUnknown === 0) return code;
    io.stderr.write(
      `gene-panel-notifier impact: something is unknown about ${impact.withUnknown.toLocaleString('en-GB')} of ${counted(impact.cases, 'case')}.\n`,
    );
    return code || SOMETHING_UNKNOWN;
  } finally {
    await close();
  }
}

async function unreadIn({ catalogue, history }: OpenPanelStates, { clock }: Io): Promise<readonly string[]> {
  const now = instantOf(clock.now());
  return unreadEnd(readPartsOf(await history.coverage(), { catalogue, now }), dayOf);
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

async function writeBed(
  { text, warnings }: Awaited<ReturnType<typeof impactBed>>,
  { output }: { readonly output?: string | undefined },
  io: Io,
): Promise<void> {
  await writeDocument(text, output, { ...io, isPersonal: true });
  for (const warning of warnings) io.stderr.write(`${printable(warning)}\n`);
}

function headingOf(counts: Counted, { line, form }: CaseSource, io: Io): Omit<ImpactHeading, 'unread'> {
  const at = `${new Date(io.clock.now()).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  return { at, line, form, counts: countsWords[counts] };
}

function documentOf(impact: Impact, format: Exclude<Format, 'bed'>, heading: ImpactHeading): string {
  switch (format) {
    case 'table':
      // Above a table, standard error has named the columns already.
      return impactTable(impact, { ...heading, form: null });
    case 'html':
      return impactHtml(impact, heading);
    case 'genes':
      return geneList(impact);
    case 'csv':
    case 'ndjson':
      return changeRows(impact).map(rowWriter(format)).join('');
    default:
      return format satisfies never;
  }
}

async function writeRows(
  rows: ReturnType<typeof caseRows>,
  format: Format,
  file: string | undefined,
  io: Io,
): Promise<void> {
  const line = rowWriter(format === 'csv' ? 'csv' : 'ndjson');
  const output = openOutput(file, io, { replaces: true, isPersonal: true });
  try {
    let waiting: string[] = [];
    for await (const row of rows) {
      waiting.push(line(row));
      if (waiting.length < 1000) continue;
      await output.write(waiting.join(''));
      waiting = [];
    }
    await output.write(waiting.join(''));
  } finally {
    output.close();
  }
}

export const command = declareCommand({
  name: 'impact',
  synopsis: ['--cases FILE [options]', '--from-interpretation URL [--mapping FILE] [options]'],
  about: [
    'Compares what each case was analysed with to what counts now: which genes, STRs and regions were not green then and are green now, which are no longer green, and which green ones have a mode of inheritance of another group. The cases stay on this machine: nothing of them is kept or logged, and messages name only lines of the file.',
    'A line of the file names a case, a panel (number, R code, present or former name), and the version, the day of the analysis, or both. A case may have several lines: what was green on any of its panels was analysed. Where something is unknown, or a line cannot be used, the answer says so and why, and the exit code is 4.',
  ],
  options,
  exitCodes:
    '0 done, 1 failed, or the list of cases may be incomplete, 2 wrong arguments, 4 done, and something is unknown',
  examples: [
    '$0 impact --cases cases.csv',
    '$0 impact --cases export.csv --date-format dd/mm/yyyy --zone Europe/London --counts signed-off',
    '$0 impact --cases cases.csv --by case --format csv --output worklist.csv',
    '$0 impact --from-interpretation https://interpretation.example.org/api --mapping mapping.json',
  ],
  run,
});

interface BedOptions {
  readonly of: Parameters<typeof findState>[2];
  readonly counts: Counted;
  readonly assembly: (typeof assemblies)[number];
}

/**
 * The places of what is green now and was not when cases were analysed, with the panels and versions that say so.
 * @returns the text, and sentences about what has no place
 * @throws {StateError | CatalogueError} when the states cannot be read
 */
async function impactBed(
  { effects }: Impact,
  { of, counts, assembly }: BedOptions,
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const green = effects.map(({ effect }) => effect).filter(({ change }) => change === 'now green');
  const states: NamedState[] = [];
  const warnings: string[] = [];
  for (const [id, own] of Map.groupBy(green, ({ panelId }) => panelId)) {
    const [{ panelName: name, version } = { panelName: '', version: '' }] = own;
    const { state } = await findState({ id, name }, countedState(counts), of);
    if (state?.version !== version) {
      warnings.push(
        `${name} (${id}) changed while it was compared; its places are missing. Run the command again.`,
      );
      continue;
    }
    const wanted = new Set(own.map((effect) => identityOf(effect)));
    const entities = state.entities.filter((entity) => wanted.has(identityOf(entity)));
    states.push({ catalogue: of.opened.catalogue, state: { ...state, entities } });
  }
  const { text, unplaced } = stateBed(states, assembly);
  if (unplaced.length > 0)
    warnings.push(
      `${unplaced.length} have no location in ${assembly} and are in the header only: ${unplaced.join(', ')}.`,
    );
  return { text, warnings };
}

interface Asked {
  readonly baseUrl: string;
  /** Below the address, such as `interpretation-request`. */
  readonly path: readonly string[];
  readonly mapping: CaseMapping;
  readonly identity: { readonly [Name in keyof typeof identityOptions]?: string | undefined };
}

/** The cases of the interpretation API. */
interface ListedCases {
  readonly cases: readonly AnalysedCase[];
  /** False where the list changed while it was read: cases may be missing. */
  readonly complete: boolean;
}

/** More pages than any laboratory has. */
const MOST_PAGES = 20_000;
const application = 'interpretation API';

/**
 * Reads the list of cases, each item as far as the mapping names it: nothing else of a case is kept. A line of a case is an
 * item of the list, counted from 1.
 *
 * @throws {UsageError} when an option of the identity provider is missing
 * @throws {InterpretationError} when the list cannot be read
 * @throws {CasesError} when an item names no case; the message names its place
 */
async function casesOfInterpretation(
  { baseUrl, path, mapping, identity }: Asked,
  io: Io,
): Promise<ListedCases> {
  const log = logLines(io);
  const opened = openIdentity(readIdentity(identity, io.env), { clock: io.clock, log, signal: io.signal });
  try {
    const options = { baseUrl, access: opened.access, clock: io.clock, log };
    const api = readAddress('--from-interpretation', () => createInterpretationApi(options));
    try {
      const { items, complete } = await readListing({
        name: path.join('/'),
        readPage: (page) => api.getPage(path, page),
        // Of an item, its digest identifies it; only what the mapping names is kept.
        schema: z.unknown().transform((item) => ({
          digest: hash('sha256', JSON.stringify(item)),
          mapped: mapCase(item, mapping),
        })),
        identify: ({ digest }) => digest,
        repeats: true,
        pages: MOST_PAGES,
        log,
        fail: (condition, seen) =>
          new (errorsOf(application).error)({ condition, action: 'Reading the list of cases', seen }),
      });
      const cases = items.flatMap(({ mapped: { case: name, lines } }, index): readonly AnalysedCase[] => {
        if (name !== null) return lines.map((line) => ({ line: index + 1, case: name, ...line }));
        throw new CasesError(
          `Reading the cases, item ${index + 1} of ${path.join('/')}: no case is named at ${mapping.case.join(' or ')}. Name the place in --mapping: {"case": "/…"}.`,
        );
      });
      return { cases, complete };
    } finally {
      await api.close();
    }
  } finally {
    await opened.close();
  }
}
