import { findState, type StatesOf } from '../panels/find-state.ts';
import { identityOf } from '../panels/version-state.ts';
import { dayOf } from '../run/instant.ts';
import { counted, printable } from '../run/text.ts';
import { readPartsOf, unreadEnd } from '../store/history/read-part.ts';
import { cleanLine } from '../words/clean-text.ts';
import { linkPiece, type Piece, phrase, ratingPiece, ratingWord } from '../words/phrase.ts';
import { inheritanceWords } from '../words/value-words.ts';
import { geneAddress, panelAddress } from './addresses.ts';
import { caseFormOf, caseFormOptions } from './impact/case-form.ts';
import {
  type AnalysedCase,
  type Counted,
  type Effect,
  effectKinds,
  type Impact,
  impactOf,
} from './impact/impact.ts';
import { countedState, panelsUnread, statesOfCases } from './impact/states-of-cases.ts';
import { choice, flag, OptionError } from './options.ts';
import {
  type Column,
  declare,
  headingsWithout,
  type List,
  limitsOf,
  notAnswered,
  type Option,
  type Place,
} from './question.ts';
import { keptStatesOf } from './state.ts';
import { type assemblies, type NamedState, stateBed } from './state-files.ts';

interface Row {
  readonly case?: string;
  readonly effect?: Effect;
  readonly catalogue?: string;
  readonly cases?: number;
  readonly analysed?: readonly string[];
  readonly why?: string;
  /** The first lines of the file that say so, in words. */
  readonly lines?: string;
}

const forCommands = { isFor: 'commands' as const };
const text = (takes: string, help: string): Option<string | undefined> => ({
  ...{ takes, help, ...forCommands },
  read: ([given]) => given,
});

const options = {
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
  mapping: {
    ...text(
      'FILE',
      'where an item names its case and panels, in JSON pointers: {"case": "/referral/id", "panels": "/panels", "panel": "/panelId", "version": "/panelVersion", "date": "/day"}; each may be a list, of which the first that finds something counts. The shapes of the sandbox and {"caseId", "panels": [{"panelName" or "panelId", "panelVersion"}]} need no mapping',
    ),
    isFile: true,
  },
  counts: {
    ...choice('what counts now', 'What counts now', {
      working: 'the newest version of each panel',
      'signed-off': 'the version that is signed off',
    }),
    ...forCommands,
  },
  'without-inheritance': {
    ...flag(
      'leave out green genes whose mode of inheritance changed',
      'Leave out green genes whose mode of inheritance changed',
    ),
    ...forCommands,
  },
  by: {
    ...choice('rows', 'Show', {
      change: 'by change: PALB2 on Breast cancer, 214 cases',
      case: 'a row for each change of each case',
    }),
    ...forCommands,
  },
  assembly: {
    ...choice('of the format bed', 'Build', {
      GRCh38: 'the newest build',
      GRCh37: 'the one before',
    } satisfies Record<(typeof assemblies)[number], string>),
    ...forCommands,
  },
};

const WRITTEN_TOGETHER = 1_000;

const ofEffect = (key: keyof Effect & string): Column<Row> => ({
  key,
  value: ({ effect }) => (effect?.[key] ?? null) as string | number | null,
});

const columns: readonly Column<Row>[] = [
  { key: 'case', value: (row) => row.case, heading: 'Case', phrase: (row) => phrase`${row.case ?? ''}` },
  {
    key: 'change',
    value: ({ effect }) => effect?.change ?? 'unknown',
    heading: 'Change',
    phrase: ({ effect }) => phrase`${effect?.change ?? 'unknown'}`,
  },
  ofEffect('panelId'),
  {
    ...ofEffect('panelName'),
    heading: 'Panel',
    phrase({ effect, catalogue = '' }) {
      if (!effect) return [];
      const { panelId, version } = effect;
      const panel = linkPiece(cleanLine(panelWords(effect), 1_000), panelAddress(catalogue, panelId));
      return phrase`${panel}${version === '' ? '' : `, version ${cleanLine(version)}`}`;
    },
  },
  { key: 'panelFormerly', value: ({ effect }) => effect?.panelFormerly ?? [] },
  ofEffect('type'),
  {
    ...ofEffect('name'),
    heading: 'Gene, STR or region',
    phrase: ({ effect }) => (effect ? [linkPiece(cleanLine(effect.name), geneAddress(effect.name))] : []),
  },
  ofEffect('hgncId'),
  { key: 'ratingThen', value: ({ effect }) => (effect ? wordOf(effect.ratingThen) : null) },
  {
    key: 'ratingNow',
    value: ({ effect }) => (effect ? wordOf(effect.ratingNow) : null),
    heading: 'Before and now',
    phrase({ effect }) {
      if (!effect) return [];
      const { ratingThen, ratingNow, inheritanceThen, inheritanceNow } = effect;
      if (inheritanceNow === null) return phrase`${ratingOf(ratingThen)} → ${ratingOf(ratingNow)}`;
      const [then, now] = [inheritanceThen, inheritanceNow].map(inheritanceWords);
      return phrase`${cleanLine(`${then} → ${now}`, 1_000)}`;
    },
  },
  ofEffect('inheritanceThen'),
  ofEffect('inheritanceNow'),
  { ...ofEffect('version'), isVersion: true },
  {
    key: 'analysedWith',
    value: ({ analysed }) => analysed?.join(' '),
    isVersion: true,
    heading: 'Analysed with',
    phrase: ({ analysed = [] }) =>
      phrase`${analysed.slice(0, 6).join(', ')}${analysed.length > 6 ? ', …' : ''}`,
  },
  {
    key: 'cases',
    value: ({ cases }) => cases,
    heading: 'Cases',
    phrase: ({ cases }) => phrase`${cases === undefined ? '' : counted(cases, 'case')}`,
    kind: 'number',
  },
  {
    key: 'reason',
    value: ({ why }) => why ?? null,
    heading: 'Reason',
    phrase: ({ why = '', lines = '' }) => phrase`${cleanLine(why, 1_000)}${lines}`,
  },
];

const wordOf = (rating: Effect['ratingThen']): string =>
  rating === 'absent' ? 'not on the panel' : ratingWord(rating);

const ratingOf = (rating: Effect['ratingThen']): string | Piece =>
  rating === 'absent' ? wordOf(rating) : ratingPiece(rating);

const panelWords = ({ panelName, panelFormerly }: Effect): string =>
  panelFormerly.length === 0 ? panelName : `${panelName} (formerly ${panelFormerly.join(', ')})`;

const countsWords = {
  working: 'the newest version of their panels',
  'signed-off': 'the signed-off version of their panels',
} as const;

/** The change that is now green, with what finds its places. */
interface GreenList extends List<Row> {
  readonly of: StatesOf;
  readonly counts: Counted;
}

export const question = declare<typeof options, Row>({
  name: 'impact',
  title: 'Cases that changes of panels concern',
  sentence: 'find the cases that changes of panels concern',
  group: 'Every day',
  about:
    'Each case is compared with what counts now: which genes, STRs and regions were not green then and are green now, which are no longer green, and which green ones have a mode of inheritance of another group. The cases stay on this machine: nothing of them is kept or logged, and messages name only lines of the file. A line of the file names a case, a panel (number, R code, present or former name), and the version, the day of the analysis, or both. A case may have several lines: what was green on any of its panels was analysed.',
  examples: [
    '--cases cases.csv',
    '--cases export.csv --date-format dd/mm/yyyy --zone Europe/London --counts signed-off',
    '--cases cases.csv --by case --format csv --output worklist.csv',
    '--from-interpretation https://interpretation.example.org/api --mapping mapping.json',
  ],
  file: 'cases',
  options,
  rowsAre: 'of one kind',
  asksCatalogue: true,
  isOfPeople: true,
  columns,
  formats: {
    genes: {
      label: 'HGNC ids or names of what is green now, one a line',
      extension: 'txt',
      write({ lists }) {
        const names = greenIn(lists).map(({ hgncId, name }) => hgncId ?? name);
        return { text: [...new Set(names)].map((name) => `${printable(name)}\n`).join(''), notes: [] };
      },
    },
    bed: {
      label: 'the places of what is green now',
      extension: 'bed',
      write: ({ asked, lists }) => impactBed(lists, asked.assembly),
    },
  },
  async answer(asked, place) {
    const { times, now } = place;
    const { cases: file, counts, by, 'from-interpretation': url, path, mapping } = asked;
    if ((file === undefined) === (url === undefined))
      throw new OptionError(file ?? '', 'one of --cases FILE and --from-interpretation URL', 'cases');
    const [catalogue, ...others] = place.catalogues;
    if (!place.openCases || catalogue === undefined) return notAnswered('Nothing of a catalogue was read.');
    if (others.length > 0)
      throw new OptionError('', `one of ${place.catalogues.join(', ')}: give --name`, 'name');
    const source = await place.openCases({
      file,
      form: caseFormOf(asked),
      interpretation: { url, path, mapping },
    });
    const of = keptStatesOf(catalogue, place);
    const impact = await impactOf(source.read(), statesOfCases(of, counts), {
      inheritance: !asked['without-inheritance'],
    });
    if (impact.cases === 0)
      throw new OptionError(file ?? url ?? '', 'at least one case', file ? 'cases' : 'from-interpretation');
    const some = `Something is unknown about ${impact.withUnknown} of ${impact.cases} cases.`;
    return {
      lead: [
        `${counted(impact.cases, 'case')} compared with ${countsWords[counts]}, ${times.moment(now)}.`,
        `${counted(impact.affected, 'case')} with a change, ${counted(impact.unaffected, 'case')} without one, ${counted(impact.withUnknown, 'case')} with something unknown.`,
        ...(by === 'change' && impact.effects.length > 0 && !place.pages
          ? ['To list the cases: --by case --format csv --output FILE']
          : []),
      ].map((words) => phrase`${words}`),
      lists:
        by === 'case'
          ? [{ what: 'cases', rows: await rowsOfCases(impact, { cases: source.read(), catalogue }, place) }]
          : changeLists(impact, { of, counts, line: source.line }),
      limits: [
        ...limitsOf('note', source.sentence ?? ''),
        ...limitsOf('note', ...(place.archive ? [] : await unreadOf(impact, of, place))),
        ...limitsOf('unknown', source.incomplete ?? '', impact.withUnknown === 0 ? '' : some),
      ],
      headings: headingsWithout(columns, by === 'case' ? ['analysedWith', 'cases'] : ['case', 'change']),
    };
  },
});

/** What was not read, so that the versions that count may not be the newest. */
async function unreadOf(
  { withUnknown }: Impact,
  of: StatesOf,
  { history, now }: Place,
): Promise<readonly string[]> {
  const { catalogue } = of.opened;
  return [
    ...unreadEnd(readPartsOf(await history.coverage(), { catalogue, now }), dayOf),
    ...(withUnknown > 0 ? await panelsUnread(of) : []),
  ];
}

function changeLists(
  { effects, unknown }: Impact,
  { line, ...green }: Pick<GreenList, 'of' | 'counts'> & { readonly line: string },
): readonly List<Row>[] {
  const lists = effectKinds.map((what) => ({
    ...{ what, ...green },
    rows: effects
      .filter(({ effect }) => effect.change === what)
      .map((row) => ({ ...row, catalogue: green.of.opened.catalogue })),
  }));
  const reasons = unknown.map(({ why, cases, lines }) => ({ why, cases, lines: linesWords(lines, line) }));
  return [...lists, { what: 'unknown', rows: reasons }];
}

const linesWords = (lines: readonly number[], line: string): string =>
  lines.length === 0
    ? ''
    : ` (${line}${lines.length === 1 ? '' : 's'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''})`;

interface CasesOf {
  readonly cases: AsyncIterable<AnalysedCase>;
  readonly catalogue: string;
}

/** A row for each change of each case, in the order of the file; cases without one have none. */
async function* caseRows(impact: Impact, { cases, catalogue }: CasesOf): AsyncIterable<Row> {
  const shown = new Set<string>();
  for await (const { case: name } of cases) {
    if (shown.has(name)) continue;
    shown.add(name);
    const own = impact.of(name);
    for (const effect of own?.effects ?? []) yield { case: name, effect, catalogue };
    for (const why of own?.unknown ?? []) yield { case: name, why };
  }
}

/** The rows that were not written while they were read. */
async function rowsOfCases(impact: Impact, cases: CasesOf, { write }: Place) {
  const rows: Row[] = [];
  for await (const row of caseRows(impact, cases)) {
    rows.push(row);
    if (rows.length === WRITTEN_TOGETHER) await write?.(rows.splice(0));
  }
  return rows;
}

const greenIn = (lists: readonly List<Row>[]): readonly Effect[] =>
  lists.flatMap(({ rows }) => rows.flatMap(({ effect }) => (effect?.change === 'now green' ? [effect] : [])));

async function impactBed(lists: readonly List<Row>[], assembly: (typeof assemblies)[number]) {
  const [list] = lists as readonly GreenList[];
  const states: NamedState[] = [];
  const notes: string[] = [];
  for (const [id, [first, ...more]] of Map.groupBy(greenIn(lists), ({ panelId }) => panelId)) {
    if (!list || !first) continue;
    const { panelName: name, version } = first;
    const { state } = await findState({ id, name }, countedState(list.counts), list.of);
    if (state?.version !== version) {
      notes.push(
        `${name} (${id}) changed while it was compared; its places are missing. Run the command again.`,
      );
      continue;
    }
    const wanted = new Set([first, ...more].map((effect) => identityOf(effect)));
    const entities = state.entities.filter((entity) => wanted.has(identityOf(entity)));
    states.push({ catalogue: list.of.opened.catalogue, state: { ...state, entities } });
  }
  const { text, unplaced } = stateBed(states, assembly);
  if (unplaced.length > 0)
    notes.push(
      `${unplaced.length} have no location in ${assembly} and are in the header only: ${unplaced.join(', ')}.`,
    );
  return { text, notes };
}
