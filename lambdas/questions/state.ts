import { findState, type WantedState } from '../panels/find-state.ts';
import type { StateEntity, VersionState } from '../panels/version-state.ts';
import { formatInstant, millisecondsOf } from '../run/instant.ts';
import { cleanLine } from '../words/clean-text.ts';
import { linkPiece, type Phrase, phrase, statusPiece } from '../words/phrase.ts';
import { entityAddress, panelAddress } from './addresses.ts';
import { findPanels } from './find-panels.ts';
import { choice, flag, OptionError, panelOptions, periodOptions } from './options.ts';
import {
  type Asked,
  type Column,
  declare,
  headingsWithout,
  type Limit,
  type List,
  limitsOf,
  notAnswered,
  type Option,
  type Place,
  type WrittenFile,
} from './question.ts';
import {
  type assemblies,
  catalogueTable,
  type NamedState,
  scoutPanel,
  scoutPanels,
  seqrGenes,
  stateBed,
} from './state-files.ts';

interface Row extends NamedState {
  readonly entity: StateEntity;
}

/** What a panel held, also where that is nothing. */
interface StateList extends List<Row> {
  readonly of: NamedState;
}

const options = {
  ...panelOptions,
  all: flag('every public panel'),
  version: {
    help: 'as it was at the end of this version',
    takes: 'M.N',
    field: { kind: 'text', label: 'Version', example: '4.12' },
    read([text]: readonly string[]) {
      if (text === undefined || /^\d+\.\d+$/.test(text)) return text;
      throw new OptionError(text, 'a version such as 4.12');
    },
  },
  at: {
    help: 'as it was at this time: 2026-01-31 (its first moment), 2026-01-31T12:00:00Z, or 90d',
    takes: 'TIME',
    field: { kind: 'day', label: 'At the beginning of' },
    read(texts: readonly string[], moment: Parameters<Option<unknown>['read']>[1]) {
      const at = periodOptions().since.read(texts, moment);
      return at === undefined ? undefined : { kind: 'at' as const, at, text: texts[0] ?? '' };
    },
  },
  'signed-off': flag(
    'the version that is signed off; with --at, the one that was signed off then',
    'as signed off',
  ),
  assembly: choice('of the format bed', 'Build', {
    GRCh38: 'the newest build',
    GRCh37: 'the one before',
  } satisfies Record<(typeof assemblies)[number], string>),
} as const satisfies Readonly<Record<string, Option<unknown>>>;

const plain = (key: keyof StateEntity & string): Column<Row> => ({
  key,
  value: ({ entity }) => entity[key] as string | null | readonly string[] | undefined,
});

const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    value: ({ entity }) => entity.name,
    heading: 'Gene, STR or region',
    phrase: ({ entity, state }) => [
      linkPiece(cleanLine(entity.name), entityAddress(entity.name, state.panelId)),
    ],
    note: ({ entity: { type } }) => (type === 'gene' ? [] : phrase`${type === 'str' ? 'STR' : type}`),
  },
  { key: 'catalogue', value: ({ catalogue }) => catalogue },
  { key: 'panelId', value: ({ state }) => state.panelId },
  { key: 'hashId', value: ({ state }) => state.hashId },
  { key: 'panelName', value: ({ state }) => state.panelName },
  { key: 'version', value: ({ state }) => state.version, isVersion: true },
  { key: 'validFrom', value: ({ state }) => formatInstant(state.validFrom) },
  {
    key: 'validTo',
    value: ({ state: { validTo } }) => (validTo === null ? null : formatInstant(validTo)),
  },
  plain('type'),
  {
    key: 'rating',
    value: ({ entity }) => entity.rating,
    heading: 'Rating',
    phrase: ({ entity: { rating } }) => [statusPiece(rating ?? 'unknown')],
  },
  { ...plain('hgncId'), heading: 'HGNC', phrase: ({ entity }) => phrase`${entity.hgncId ?? ''}` },
  {
    key: 'ensemblId',
    value: ({ entity }) => entity.ensemblIds.GRCh38,
    heading: 'Ensembl',
    phrase: ({ entity }) => phrase`${entity.ensemblIds.GRCh38 ?? ''}`,
  },
  plain('omimIds'),
  {
    ...plain('tags'),
    heading: 'Tags',
    phrase: ({ entity }) => phrase`${(entity.tags ?? ['?']).map((tag) => cleanLine(tag)).join(', ')}`,
  },
  {
    ...plain('modeOfInheritance'),
    heading: 'Inheritance',
    phrase: ({ entity }) => phrase`${shortInheritance(entity.modeOfInheritance)}`,
  },
  ...(
    ['modeOfPathogenicity', 'penetrance', 'phenotypes', 'publications', 'evidence', 'transcript'] as const
  ).map(plain),
  {
    key: 'location',
    value: ({ entity }) => entity.locations.GRCh38,
    heading: 'GRCh38',
    phrase: ({ entity }) => phrase`${entity.locations.GRCh38 ?? ''}`,
  },
  { key: 'locationGRCh37', value: ({ entity }) => entity.locations.GRCh37 },
  ...(
    [
      ...(['repeatedSequence', 'normalRepeats', 'pathogenicRepeats', 'verboseName', 'variantType'] as const),
      ...(['haploinsufficiency', 'triplosensitivity', 'requiredOverlap'] as const),
    ] as const
  ).map(plain),
  { key: 'fromPanelId', value: ({ entity: { child } }) => child?.id },
  {
    key: 'fromPanelName',
    value: ({ entity: { child } }) => child?.name,
    heading: 'From',
    phrase: ({ entity: { child } }) => phrase`${cleanLine(child?.name ?? '')}`,
  },
  { key: 'fromPanelVersion', value: ({ entity: { child } }) => child?.version, isVersion: true },
  { key: 'source', value: ({ state }) => state.source },
  { key: 'readAt', value: ({ state }) => formatInstant(state.readAt) },
  { key: 'sha256', value: ({ state }) => state.sha256 },
];

const statesIn = (lists: readonly List<Row>[]): readonly NamedState[] =>
  lists.map((list) => (list as StateList).of);

const fileOf = (label: string, extension: string, write: (states: readonly NamedState[]) => WrittenFile) => ({
  ...{ label, extension },
  write: ({ lists }: { readonly lists: readonly List<Row>[] }) => write(statesIn(lists)),
});

export const question = declare<typeof options, Row>({
  name: 'state',
  title: 'What panels held',
  sentence: 'list what a panel held: now, at a version, on a day, or as signed off',
  group: 'Every day',
  about:
    'Each gene, STR and region comes with its rating, ids and location, and the list with its source, the time at which it was read and its SHA-256. A state that is unknown is never guessed. The states are those that were kept; one that is not kept can be read from the archive of the catalogue by the command, with --catalogue.',
  examples: [
    '--panel 3 --at 2026-02-01',
    '--r-code R59 --signed-off --format csv --output r59.csv',
    '--panel "Hearing loss" --version 4.12 --format bed --assembly GRCh37',
  ],
  file: 'panel-state',
  options,
  columns,
  asksCatalogue: true,
  formats: {
    bed: {
      label: 'BED, for genome browsers and pipelines',
      extension: 'bed',
      write({ asked: { assembly }, lists }) {
        const { text, unplaced } = stateBed(statesIn(lists), assembly);
        const note = `Green without a location in ${assembly}, and so in the header only: ${unplaced.join(', ')}.`;
        return { text, notes: unplaced.length > 0 ? [note] : [] };
      },
    },
    scout: fileOf('Scout: a panel', 'txt', scoutPanel),
    'scout-jsonl': fileOf('Scout: downloaded panels of the catalogue', 'jsonl', scoutPanels),
    seqr: fileOf('seqr: a gene list', 'txt', seqrGenes),
    panelapp: fileOf('The table that the catalogue offers for download', 'tsv', catalogueTable),
  },
  async answer(asked, place) {
    const wanted = wantedOf(asked);
    const panels = asked.all ? await publicPanels(asked, place) : await findPanels(asked, place);
    if (panels.asked === null) return notAnswered('Name a panel or an R code, or ask for all.');
    const states: NamedState[] = [];
    const limits: Limit[] = [...panels.limits];
    for (const [catalogue, wantedPanels] of panels.asked) {
      const of = keptStatesOf(catalogue, place);
      for (const [id, name] of wantedPanels) {
        const found = await findState({ id, name }, wanted, of);
        if (found.state) states.push({ catalogue, state: found.state });
        limits.push(
          ...(found.state
            ? limitsOf('note', found.note ?? '')
            : limitsOf('unknown', `${name} (${id}): unknown. ${found.why}`)),
        );
      }
    }
    const isSuper = states.some(({ state }) => state.entities.some(({ child }) => child !== null));
    return {
      lead: states.flatMap(leadOf),
      lists: states.map(stateList),
      limits,
      headings: headingsWithout(columns, [!isSuper && 'fromPanelName']),
    };
  },
});

async function publicPanels(
  { panel, 'r-code': rCodes, version }: Asked<typeof options>,
  { catalogues, listings }: Place,
): Promise<Awaited<ReturnType<typeof findPanels>>> {
  if (panel.length + rCodes.length > 0) throw new OptionError('', 'no panel and no R code beside it', 'all');
  if (version !== undefined) throw new OptionError(version, 'one panel beside it, not all', 'version');
  const listed = (await listings()).filter(({ catalogue }) => catalogues.includes(catalogue));
  const named = listed.map(({ catalogue, listing }) => {
    const byNumber = [...listing.panels].sort(([one], [other]) => one - other);
    return [catalogue, new Map(byNumber.map(([id, { name }]) => [id, name ?? String(id)]))] as const;
  });
  const limits = catalogues
    .filter((catalogue) => !listed.some((each) => each.catalogue === catalogue))
    .flatMap((catalogue) => limitsOf('unread', `The panels of ${catalogue} have not been listed yet.`));
  return { asked: new Map(named), limits };
}

/** What a panel held, as a list of an answer: green first. */
export const stateList = ({ catalogue, state }: NamedState): StateList => ({
  of: { catalogue, state },
  what: `${cleanLine(state.panelName)} (${state.panelId}), version ${cleanLine(state.version)}`,
  rows: byRating(state.entities).map((entity): Row => ({ catalogue, state, entity })),
});

function wantedOf({ version, at, 'signed-off': isSignedOff, ...panels }: Asked<typeof options>): WantedState {
  if (isSignedOff && version === undefined) return { kind: 'signed-off', at: at?.at };
  if (version === undefined) return at ?? { kind: 'present' };
  if (at !== undefined || isSignedOff)
    throw new OptionError(version, 'neither a time nor the signed-off version beside it', 'version');
  if (panels['r-code'].length > 0 || panels.panel.length > 1)
    throw new OptionError(version, 'one panel beside it: a version is that of one panel', 'version');
  return { kind: 'version', version };
}

/** What the panels of a catalogue held, by what is kept and by its archive where that may be asked. */
export function keptStatesOf(catalogue: string, { states, history, archive, keepsStates, now }: Place) {
  return {
    opened: {
      catalogue,
      store: states(catalogue),
      keepsStates: keepsStates ?? false,
      history,
      names: () => history.names(),
    },
    catalogue: archive?.client ?? null,
    clock: { now: () => millisecondsOf(now) },
    // A page has no archive to ask.
    ...(archive === undefined && {
      remedy: 'This page asks no catalogue; the command does, with --catalogue URL.',
    }),
  };
}

function leadOf({ catalogue, state }: NamedState): readonly Phrase[] {
  const { panelId, panelName, hashId, version, validFrom, validTo, entityCount, greenCount } = state;
  const older = hashId === null ? '' : `, older id ${cleanLine(hashId)}`;
  const until = validTo === null ? '' : ` until ${minuteOf(validTo)}`;
  return [
    phrase`${[linkPiece(cleanLine(panelName), panelAddress(catalogue, panelId))]} (${String(panelId)}${older}), version ${cleanLine(version)} of ${cleanLine(catalogue)}, from ${minuteOf(validFrom)}${until}`,
    phrase`${String(greenCount)} green of ${String(entityCount)} genes, STRs and regions; ${sourceOf(state)}`,
    phrase`SHA-256 ${state.sha256}`,
  ];
}

const sourceOf = ({ source, readAt, version }: VersionState): string =>
  source === 'archive'
    ? `as version ${cleanLine(version)} was at its end, by the archive of the catalogue, read ${minuteOf(readAt)}`
    : `as it was when it was read, ${minuteOf(readAt)}`;

/** `2026-02-01 10:15Z` */
const minuteOf = (at: bigint): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')}Z`;

/** The first words of the catalogue's fixed list, which the rest explains. */
function shortInheritance(mode: string | null | undefined): string {
  if (mode === undefined) return '?';
  const [first = ''] = (mode ?? '').split(/[,:(]/);
  return cleanLine(first.trim());
}

const order = ['green', 'amber', 'red', 'none', null] as const;

/** Green first; equal ratings by name, and by panel where a super panel holds one gene several times. */
export function byRating(entities: readonly StateEntity[]): readonly StateEntity[] {
  const keyOf = ({ name, type, child }: StateEntity): string => `${name}\n${type}\n${child?.id ?? ''}`;
  const placed = entities.map((entity) => ({
    entity,
    key: keyOf(entity),
    rank: order.indexOf(entity.rating),
  }));
  placed.sort((one, other) => one.rank - other.rank || (one.key < other.key ? -1 : 1));
  return placed.map(({ entity }) => entity);
}
