import { rCodesIn } from '../events/r-codes.ts';
import { compileFilter, eventAbout } from '../filters/filter.ts';
import type { Names } from '../filters/names.ts';
import type { Disagreement } from '../panels/compare-catalogues.ts';
import type { DatedDifference, FoundSide } from '../panels/compare-panels.ts';
import type { PanelPair } from '../panels/panel-pairs.ts';
import { daysSince, type Since } from '../panels/since-when.ts';
import { formatInstant, type Instant } from '../run/instant.ts';
import { capitalize, counted } from '../run/text.ts';
import { unknownNames } from '../store/history/unknown-names.ts';
import { cleanLine, cutAtWord } from '../words/clean-text.ts';
import { linkPiece, type Phrase, phrase, separated, statusPiece } from '../words/phrase.ts';
import { inheritanceWords } from '../words/value-words.ts';
import { entityAddress, panelAddress, versionAddress } from './addresses.ts';
import { filterOf, filterOptions } from './filter-options.ts';
import { choice, flag, OptionError, panelOptions } from './options.ts';
import {
  type Asked,
  type Column,
  type Limit,
  type Options,
  type Times,
  unknownNameLimit,
  type Value,
} from './question.ts';

interface SideCell extends Partial<Disagreement['sides'][number]> {
  readonly found: FoundSide;
}

/** What two states of panels show otherwise: of an entity, or in the summary of a panel. */
export interface ComparedRow {
  readonly entity: DatedDifference['entity'] | null;
  readonly first: SideCell;
  readonly second: SideCell;
  /** Whether the two differ by their modes of inheritance, or one of them states none; null where that is not why they are listed. */
  readonly inheritance: 'differs' | 'not stated' | null;
  readonly since: Since | null;
  readonly now: Instant;
  /** The panels of two catalogues; null within one catalogue. */
  readonly pair: PanelPair | null;
  /** In the summary of a panel. */
  readonly counts: Counts | null;
}

type Counts = ReturnType<typeof countsOf>;

type Row = ComparedRow;
type SideName = 'first' | 'second';

/** The columns of a comparison. People see those to which the answer gives a heading. */
export const comparedColumns: readonly Column<Row>[] = [
  {
    key: 'name',
    value: ({ entity }) => entity?.name ?? null,
    phrase: ({ entity, second }) =>
      entity ? [linkPiece(cleanLine(entity.name), entityAddress(entity.name, panelOf(second).panelId))] : [],
    note({ entity, first, second }) {
      const formerly = first.name && second.name && first.name !== second.name ? first.name : null;
      return separated(
        [
          phrase`${entity === null || entity.type === 'gene' ? '' : entity.type === 'str' ? 'STR' : entity.type}`,
          formerly === null ? [] : phrase`${cleanLine(formerly)} there`,
        ],
        ', ',
      );
    },
  },
  { key: 'type', value: ({ entity }) => entity?.type ?? null },
  { key: 'hgncId', value: ({ entity }) => entity?.hgncId ?? null },
  {
    key: 'panel',
    value: ({ second }) => panelOf(second).panelName,
    phrase({ first, second }) {
      const names = [first, second].map((cell) => ({ cell, ...panelOf(cell) }));
      const shown = names[0]?.panelName === names[1]?.panelName ? names.slice(1) : names;
      return separated(
        shown.map(({ cell, panelName, panelId }) => [
          linkPiece(cleanLine(panelName), panelAddress(cell.found.catalogue, panelId)),
        ]),
        ' / ',
      );
    },
    note: ({ first, second, pair }) =>
      separated(
        [phrase`${codesOf([first, second]).join(', ')}`, pair ? phrase`${pairWords(pair)}` : []],
        '; ',
      ),
  },
  { key: 'rCodes', value: ({ first, second }) => codesOf([first, second]) },
  ...sideColumns('first'),
  ...sideColumns('second'),
  {
    key: 'since',
    value: ({ since }) => since && formatInstant(since.at),
    phrase: ({ since }, times) => (since ? phrase`${since.isExact ? '' : 'by '}${times.day(since.at)}` : []),
    kind: 'time',
  },
  { key: 'sinceIsExact', value: ({ since }) => since?.isExact ?? null },
  {
    key: 'days',
    value: ({ since, now }) => since && daysSince(since.at, now),
    phrase: ({ since, now }) =>
      since ? phrase`${since.isExact ? '' : '≥ '}${counted(daysSince(since.at, now), 'day')}` : [],
    kind: 'number',
  },
  { key: 'belongTogether', value: ({ pair }) => pair?.sure ?? null },
  {
    key: 'because',
    value: ({ pair }) => pair?.reasons ?? null,
    phrase: ({ pair }) => (pair ? phrase`${pairWords(pair)}` : []),
  },
  ...(['firstGreen', 'secondGreen', 'other', 'agreed'] as const).map(
    (key): Column<Row> => ({
      key,
      value: ({ counts }) => counts?.[key] ?? null,
      phrase: ({ counts }) => phrase`${String(counts?.[key] ?? '')}`,
      kind: 'number',
    }),
  ),
];

const panelOf = ({ found }: SideCell) => found.summary;

const codesOf = (cells: readonly SideCell[]): readonly string[] => [
  ...new Set(cells.flatMap((cell) => rCodesIn(panelOf(cell).relevantDisorders))),
];

/** How sure it is that two panels belong together, and why. */
export const pairWords = ({ sure, reasons }: Pick<PanelPair, 'sure' | 'reasons'>): string =>
  `${sure}: ${reasons.map((each) => cleanLine(each)).join('; ')}`;

function sideColumns(side: SideName): readonly Column<Row>[] {
  const column = (key: string, value: (cell: SideCell) => Value, rest: Partial<Column<Row>> = {}) => ({
    key: `${side}${key}`,
    value: (row: Row) => value(row[side]),
    ...rest,
  });
  const said = (cell: SideCell): Phrase =>
    separated(
      [
        cell.rated ? phrase`rated by ${cleanLine(cell.rated.actor ?? 'nobody named')}` : [],
        cell.wrote ? phrase`“${cutAtWord(cleanLine(cell.wrote.words), LONGEST_QUOTE)}”` : [],
      ],
      ': ',
    );
  return [
    column('Catalogue', ({ found }) => found.catalogue),
    column('PanelId', (cell) => panelOf(cell).panelId),
    column('PanelName', (cell) => panelOf(cell).panelName),
    column('Version', (cell) => panelOf(cell).version, { isVersion: true }),
    column('SignedOffDate', ({ found }) => found.signOff?.date ?? null),
    column('AsOf', ({ found }) => formatInstant(found.asOf)),
    column('Name', ({ name }) => name ?? null),
    column('Rating', ({ status }) => status ?? null, {
      phrase: (row) =>
        separated(
          [
            // Where only the modes differ, the ratings are in the name of the list.
            row[side].status && (row.inheritance === null || row.first.status !== row.second.status)
              ? [statusPiece(row[side].status)]
              : [],
            row.inheritance === null
              ? []
              : phrase`${(row[side].modes ?? []).map(inheritanceWords).join('; ') || inheritanceWords(null)}`,
          ],
          ', ',
        ),
      note: (row, times) => sideNote(row[side], row[side === 'first' ? 'second' : 'first'], times),
    }),
    column('Inheritance', ({ modes }) => (modes ?? []).join('; ') || null),
    column('SignedOffVersion', ({ signedOff }) => signedOff?.version ?? null, { isVersion: true }),
    column('SignedOffRating', ({ signedOff }) => signedOff?.status ?? null),
    column('Since', ({ since }) => (since ? formatInstant(since.at) : null)),
    column('SinceIsExact', ({ since }) => since?.isExact ?? null),
    column('RatedBy', ({ rated }) => rated?.actor ?? null),
    column('RatedAt', ({ rated }) => rated?.at ?? null),
    column('Wrote', ({ wrote }) => wrote?.words ?? null, { phrase: (row) => said(row[side]) }),
    column('WrittenBy', ({ wrote }) => wrote?.actor ?? null),
  ];
}

const LONGEST_QUOTE = 160;

function sideNote(
  { found, status, signedOff, since }: SideCell,
  other: Pick<SideCell, 'status'>,
  times: Times,
): Phrase {
  // It may have been red before it was amber.
  const sinceWords = status !== 'green' && other.status === 'green' ? 'not green since' : 'since';
  const { catalogue, summary, signOff, asOf, isChanged, later } = found;
  const version = cleanLine(summary.version);
  const date = signOff && times.day(times.startOf(signOff.date));
  return separated(
    [
      // What a version that was not read holds cannot be shown.
      later ? phrase`${version}` : [linkPiece(version, versionAddress(catalogue, summary.panelId, version))],
      date === null ? [] : phrase`${date}`,
      !isChanged ? [] : phrase`by events up to ${times.moment(asOf)}`,
      since ? phrase`${sinceWords}${since.isExact ? '' : ' at the latest'} ${times.day(since.at)}` : [],
      signedOff
        ? phrase`signed off in ${cleanLine(signedOff.version)}: ${[statusPiece(signedOff.status)]}`
        : [],
    ],
    ', ',
  );
}

/** What a comparison may be asked for. */
export const comparisonOptions = {
  sides: {
    help: 'two of signed-off, newest, previous (the version before the other one), a version such as 3.1, a day, or a time; or the names of catalogues',
    takes: 'SIDE',
    ...{ isMultiple: true, splits: true, isPositional: true },
    field: { kind: 'text', label: 'Two sides', example: 'signed-off, newest' },
    read: (given: readonly string[]) => (given.length === 0 ? ['signed-off', 'newest'] : given),
  },
  ...panelOptions,
  gene: filterOptions.gene,
  'entity-type': filterOptions['entity-type'],
  'only-in': {
    help: 'only what is green, or on the panel, on this side alone, such as newest or uk',
    takes: 'SIDE',
    field: { kind: 'text', label: 'Only in', example: 'newest, or uk' },
    read: ([side]: readonly string[]) => side ?? null,
  },
  green: flag('only what is green on one side, or on both with other modes of inheritance', 'only green'),
  order: choice('the order of the rows', 'Order', {
    age: 'what has been so longest first',
    panel: 'by the name of the panel',
  }),
  by: choice('what a row is', 'List', { gene: 'genes, STRs and regions', panel: 'a summary of each panel' }),
  'without-inheritance': flag('leave out different modes of inheritance'),
  'not-stated': flag(
    'of two catalogues: also modes of inheritance that one does not state',
    'also inheritance that one does not state',
  ),
  pairs: {
    help: 'of two catalogues: the panels that belong together, as CSV; --propose-pairs makes a first one',
    takes: 'FILE',
    isFile: true,
    isFor: 'commands',
    read: ([content]: readonly string[]) => content ?? null,
  },
  'propose-pairs': flag('of two catalogues: list the panels that may belong together, and why'),
} as const satisfies Options;

/** What one was asked for. */
export type AskedComparison = Asked<typeof comparisonOptions>;
type Shown = AskedComparison;

/** Whether a row is of what is asked for. */
export function rowFilter(
  { gene, 'entity-type': types, green, 'without-inheritance': withoutModes }: Shown,
  names: Names,
): (row: Row) => boolean {
  const filter = filterOf({ gene, 'entity-type': types });
  const matches = compileFilter(filter, names);
  return (row) => {
    const { entity, first, second, inheritance } = row;
    if (inheritance !== null && withoutModes) return false;
    if (green && first.status !== 'green' && second.status !== 'green') return false;
    if (!entity || Object.keys(filter).length === 0) return true;
    return [first, second].some(({ found, name }) => {
      const { panelId: id, panelName, version } = found.summary;
      const named = {
        type: entity.type,
        name: name ?? entity.name,
        ...(entity.hgncId !== null && { hgncId: entity.hgncId }),
      };
      return matches(eventAbout({ id, name: panelName, version }, named, found.catalogue));
    });
  };
}

/**
 * The genes, STRs and regions that are asked for and that nothing has.
 * @throws {HistoryError | StateError} when names cannot be read
 */
export async function unknownGenes(
  { gene }: Shown,
  found: number,
  place: Parameters<typeof unknownNames>[0],
): Promise<readonly Limit[]> {
  if (gene.length === 0) return [];
  const unknown = await unknownNames(place, { genes: [...gene] }, { found });
  return unknown.map(({ value, statement, sentence }) =>
    unknownNameLimit({ option: 'gene', value, statement, sentence }),
  );
}

/**
 * Whether a row is green, or on the panel, on one side alone: the one that `--only-in` names.
 * @throws {OptionError} when that is none of the sides
 */
export function onlyIn({ 'only-in': side }: Shown, words: readonly string[]): (row: Row) => boolean {
  if (side === null) return () => true;
  const at = words.indexOf(side);
  if (at < 0) throw new OptionError(side, words.join(' or '), 'only-in');
  return ({ first, second }) => {
    const [one, other] = at === 0 ? [first, second] : [second, first];
    return (
      (one.status === 'green' && other.status !== 'green') ||
      (other.status === 'absent' && one.status !== 'absent')
    );
  };
}

const byAge = (one: Row, other: Row): number => ((one.since?.at ?? 0n) < (other.since?.at ?? 0n) ? -1 : 1);

const isUnstated =
  (isGreen: boolean) =>
  (row: Row): boolean =>
    row.inheritance === 'not stated' && (row.first.status === 'green') === isGreen;

/**
 * The rows in lists: what is green on one side alone comes first. Where a row is a panel, the summaries are the only list.
 * @param where of each side, such as `in uk`
 */
export function listsOf(
  { rows, summaries }: { readonly rows: readonly Row[]; readonly summaries: readonly Row[] },
  [first, second]: readonly [string, string],
  { order, by }: Shown,
) {
  if (by === 'panel') return [{ what: 'panels', rows: summaries }];
  const lists: readonly (readonly [string, (row: Row) => boolean])[] = [
    [`green ${first}, not ${second}`, (row) => row.first.status === 'green' && row.second.status !== 'green'],
    [`green ${second}, not ${first}`, (row) => row.second.status === 'green' && row.first.status !== 'green'],
    [
      'green in both, mode of inheritance differs',
      (row) => row.inheritance === 'differs' && row.first.status === 'green',
    ],
    [
      'other ratings',
      (row) =>
        row.inheritance === null &&
        row.first.name !== null &&
        row.second.name !== null &&
        row.first.status !== row.second.status,
    ],
    [`${first} alone, not green`, (row) => row.second.name === null],
    [`${second} alone, not green`, (row) => row.first.name === null],
    ['green in neither, mode of inheritance differs', (row) => row.inheritance === 'differs'],
    ['green in both, one states no mode of inheritance', isUnstated(true)],
    ['green in neither, one states no mode of inheritance', isUnstated(false)],
    ['other names', () => true],
  ];
  const ordered = order === 'age' ? rows.toSorted(byAge) : rows;
  const grouped = Map.groupBy(ordered, (row) => lists.find(([, holds]) => holds(row))?.[0] ?? '');
  return lists.map(([what]) => ({ what, rows: grouped.get(what) ?? [] }));
}

/** How many rows of a panel are in which list. */
export function countsOf(rows: readonly Row[], agreed: number | null) {
  const count = (holds: (row: Row) => boolean): number => rows.filter(holds).length;
  const isFirst = ({ first, second }: Row): boolean => first.status === 'green' && second.status !== 'green';
  const isSecond = ({ first, second }: Row): boolean => second.status === 'green' && first.status !== 'green';
  const [firstGreen, secondGreen] = [count(isFirst), count(isSecond)];
  return { firstGreen, secondGreen, other: rows.length - firstGreen - secondGreen, agreed };
}

/** The headings of the columns that people see. */
export function headingsOf({ by }: Pick<Shown, 'by'>, [first, second]: readonly [string, string]) {
  if (by === 'panel')
    return {
      panel: 'Panel',
      firstGreen: `Green ${first} alone`,
      secondGreen: `Green ${second} alone`,
      other: 'Other differences',
      agreed: 'Green in both',
    };
  return {
    name: 'Gene, STR or region',
    panel: 'Panel',
    firstRating: capitalize(first),
    secondRating: capitalize(second),
    since: 'Since',
    days: 'For',
  };
}
