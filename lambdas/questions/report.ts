import { type EventKindName, eventKinds } from '../events/changes.ts';
import type { Entity } from '../events/schemas.ts';
import type { EntityChange, EntityStatus } from '../filters/entity-history.ts';
import { filterWords } from '../filters/filter-values.ts';
import { type ChangeListWords, changeListWords, greenListWords } from '../filters/green-turn.ts';
import type { EntityNames } from '../filters/names.ts';
import { countOfList, createNetChanges, type NetChanges, type PanelChanges } from '../filters/net-changes.ts';
import { type Instant, parseInstant } from '../run/instant.ts';
import { capitalize, counted } from '../run/text.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import { howMuchWasRead, nothingFoundWords, readWords } from '../store/history/read-part.ts';
import { type NamedPlace, namesIn } from '../store/history/unknown-names.ts';
import { statusWord } from '../words/change-csv.ts';
import { countedKind } from '../words/change-sorts.ts';
import { cleanLine } from '../words/clean-text.ts';
import { entityName, panelStepWords, rCodesOf } from '../words/panel-words.ts';
import { linkPiece, type Phrase, phrase, separated, statusPiece } from '../words/phrase.ts';
import { signOffChangeWords } from '../words/sign-off-words.ts';
import { fieldChange, INHERITANCE_CHANGED, inheritanceWords, ratedAsWords } from '../words/value-words.ts';
import { entityAddress, panelAddress } from './addresses.ts';
import { answerLimits, unreadLimits } from './answer-limits.ts';
import { filterOf, filterOptions } from './filter-options.ts';
import { choice, flag, panelOptions, periodOf, periodOptions } from './options.ts';
import { declare, limitsOf, type Place } from './question.ts';

interface Row {
  readonly what: string;
  readonly panel: PanelChanges;
  readonly entity: Entity | null;
  readonly formerly: readonly string[];
  /** Before and after, as files state them; null where the words say it. */
  readonly before: string | null;
  readonly now: string | null;
  /** Each state from the first to the last, for people: composed for a table alone, where thousands would take most of its memory. */
  readonly steps: () => Phrase;
  readonly statuses: readonly EntityStatus[];
  readonly note: string;
  readonly details: string;
  /** ISO 8601 in UTC; empty where only the states of versions show the change. */
  readonly at: string;
  readonly version: string | null;
  readonly actor: string | null;
}

const options = {
  ...periodOptions('30d'),
  ...panelOptions,
  'panel-type': filterOptions['panel-type'],
  gene: filterOptions.gene,
  'entity-type': filterOptions['entity-type'],
  show: choice('which changes', 'Show', {
    all: 'every net change',
    green: 'what turned green, and what is no longer green',
  }),
  'without-inheritance': flag('leave out green genes, STRs and regions whose mode of inheritance changed'),
};

const panelCount = (panels: readonly PanelChanges[]): string => counted(panels.length, 'panel');

export const question = declare<typeof options, Row>({
  name: 'report',
  title: 'Net changes',
  menu: [{ words: 'What turned green', texts: () => ({ show: ['green'] }) }],
  sentence:
    'report the net changes of a period: what turned green, what is no longer green, and everything else',
  group: 'Every day',
  about:
    'These are net changes: red, then amber, then green is one change to green, and what changed and changed back is listed separately. What turned green comes first.',
  examples: [
    '--since 2026-10-01 --until 2026-11-01 --format html --output october.html',
    '--since 30d --r-code R208 --show green',
  ],
  file: 'net-changes',
  isOfEvents: true,
  options,
  columns: [
    {
      key: 'name',
      value: ({ entity }) => entity?.name ?? null,
      heading: 'Gene, STR or region',
      phrase: ({ entity, panel }) =>
        entity === null
          ? phrase`${cleanLine(panel.name)}`
          : [linkPiece(entityName(entity), entityAddress(entity.name, panel.id))],
      note: ({ formerly }) =>
        formerly.length === 0 ? [] : phrase`formerly ${formerly.map((each) => cleanLine(each)).join(', ')}`,
    },
    { key: 'catalogue', value: ({ panel }) => panel.catalogue },
    { key: 'panelId', value: ({ panel }) => panel.id },
    {
      key: 'panelName',
      value: ({ panel }) => cleanLine(panel.name),
      heading: 'Panel',
      phrase: ({ panel }) => [
        linkPiece(cleanLine(panel.name), panelAddress(panel.catalogue, panel.id)),
        ...phrase`${panel.version === null ? '' : `, version ${cleanLine(panel.version)}`}`,
      ],
      note: ({ panel }) => phrase`${rCodesOf({ relevantDisorders: panel.disorders }).join(', ')}`,
    },
    { key: 'rCodes', value: ({ panel }) => rCodesOf({ relevantDisorders: panel.disorders }) },
    { key: 'panelVersion', value: ({ panel }) => panel.version, isVersion: true },
    { key: 'type', value: ({ entity }) => entity?.type ?? null },
    { key: 'hgncId', value: ({ entity }) => entity?.hgncId ?? null },
    { key: 'ensemblId', value: ({ entity }) => entity?.ensemblId ?? null },
    { key: 'omimIds', value: ({ entity }) => entity?.omimIds ?? [] },
    { key: 'formerly', value: ({ formerly }) => formerly.map((each) => cleanLine(each)) },
    { key: 'before', value: ({ before }) => before },
    { key: 'steps', value: ({ statuses }) => statuses.map(statusWord) },
    {
      key: 'now',
      value: ({ now }) => now,
      heading: 'Change',
      phrase: ({ steps }) => steps(),
      note: ({ note }) => phrase`${note}`,
    },
    {
      key: 'at',
      value: ({ at }) => at || null,
      heading: 'When',
      phrase: ({ at }, times) => phrase`${at === '' ? '' : times.day(instantIn(at))}`,
      kind: 'time',
    },
    {
      key: 'version',
      value: ({ version }) => version,
      isVersion: true,
      heading: 'Version',
      phrase: ({ version }) => phrase`${cleanLine(version ?? '')}`,
      kind: 'number',
    },
    {
      key: 'by',
      value: ({ actor }) => cleanLine(actor ?? ''),
      heading: 'By',
      phrase: ({ actor }) => phrase`${cleanLine(actor ?? '')}`,
    },
    { key: 'details', value: ({ details, note }) => details || note },
  ],
  async answer(asked, place) {
    const period = periodOf(asked, place);
    const filter = filterOf(asked);
    const { catalogue, now, times } = place;
    const query = { ...period, filter, ...(catalogue !== undefined && { catalogue }) };
    const report = await readReport(place, query, now, place.progress);
    const isGreenAlone = asked.show === 'green';
    const wanted = isGreenAlone ? greenListWords : changeListWords;
    const rows = report.changes.panels.flatMap((panel) => rowsOf(panel, !asked['without-inheritance']));
    const others = isGreenAlone ? [] : rows.map(({ what }) => what);
    const lists = [...new Set([...wanted, ...others])].map((what) => ({
      what,
      rows: rows.filter((row) => row.what === what),
    }));
    const lead =
      isGreenAlone && lists.every((list) => list.rows.length === 0) ? noGreen(report) : leadOf(report);
    return {
      scope: [
        `${times.day(period.since ?? 0n)} to ${times.day(period.until === undefined ? now : period.until)}`,
        report.filter,
      ].filter(Boolean),
      lead: lead.map((sentence) => phrase`${sentence}`),
      lists,
      limits: [...report.limits, ...unreadLimits(report.read, times), ...withoutPanel(report)],
    };
  },
});

const instantIn = (at: string): Instant => parseInstant(at) ?? 0n;

const noGreen = ({ read, isAnswer }: Report): readonly string[] => [
  nothingFoundWords('No gene, STR or region turned green, and none stopped being green,', read, isAnswer),
];

function leadOf({ changes, read, isAnswer }: Report): readonly string[] {
  if (changes.events === 0 && (howMuchWasRead(read) === 'nothing' || !isAnswer))
    return [nothingFoundWords('No event was found', read, isAnswer)];
  const sum = (list: ChangeListWords): number => countOfList(changes.panels, list);
  const promoted = changes.panels.filter((panel) => panel.promoted);
  const signedOff = changes.panels.filter(({ signOff }) => signOff?.signedOff).length;
  const inheritance = changes.panels.reduce((total, panel) => total + panel.inheritance.length, 0);
  const perhaps = sum('rated green, perhaps green before');
  const perhapsNot = sum('may no longer be green');
  return [
    `${sum('now green')} now green and ${sum('no longer green')} no longer green on ${panelCount(changes.panels)} ${readWords(read)}; ${counted(sum('other change of rating'), 'other change')} of rating, ${sum('changed and changed back')} changed back; ${panelCount(promoted)} promoted, ${signedOff} with a version signed off. ${counted(changes.events, 'event')} in all.`,
    inheritance > 0
      ? `${inheritance} more ${inheritance === 1 ? 'is' : 'are'} or may be green, with another mode of inheritance than before.`
      : '',
    perhaps > 0
      ? `${perhaps} more ${perhaps === 1 ? 'was' : 'were'} rated green and may have been green before.`
      : '',
    perhapsNot > 0 ? `${perhapsNot} more may no longer be green.` : '',
    perhaps + perhapsNot > 0
      ? 'For these, the rows that were read do not state the rating before or after the change. A new folder that begins with watch --learn-since and a day reads the ratings of older rows.'
      : '',
  ].filter(Boolean);
}

const withoutPanel = ({ changes: { withoutPanel: count } }: Report) =>
  limitsOf(
    'unknown',
    count === 0
      ? ''
      : `${counted(count, 'row')} of the log could not be read; they are in the topic “${eventKinds['activity.unclassified'].topic}”.`,
  );

function rowsOf(panel: PanelChanges, withInheritance: boolean): readonly Row[] {
  const base = {
    panel,
    entity: null,
    formerly: [],
    statuses: [],
    note: '',
    details: '',
    at: '',
    version: null,
    actor: null,
  };
  const about = (
    what: string,
    words: string,
    before: string | null = null,
    now: string | null = null,
  ): Row => ({
    ...base,
    ...{ what, before, now },
    steps: () => phrase`${words}`,
    details: words,
  });
  const { promoted, signOff, renamed, renamedEntities, rest } = panel;
  const others = Object.entries(rest).map(([kind, count]) => countedKind(count, kind as EventKindName));
  return [
    ...changeListWords.flatMap((what) => panel.lists[what].map((change) => entityRow(what, panel, change))),
    ...(withInheritance ? panel.inheritance : []).map(
      ({ entity, from, to, rating, at, version, actor }): Row => ({
        ...{ ...base, entity, at, version, actor },
        what: INHERITANCE_CHANGED,
        before: inheritanceWords(from),
        now: inheritanceWords(to),
        steps: () => phrase`${inheritanceWords(from)} → ${inheritanceWords(to)}`,
        note: ratedAsWords(rating),
      }),
    ),
    ...renamedEntities.map(({ from, to }) => about('renamed or replaced', `${from} → ${to}`, from, to)),
    ...(promoted
      ? [
          about(
            'promoted',
            `version ${promoted.to}${promoted.from ? `, from ${promoted.from}` : ''}`,
            promoted.from && `v${promoted.from}`,
            `v${promoted.to}`,
          ),
        ]
      : []),
    ...(signOff ? [about('sign-off', signOffChangeWords(signOff))] : []),
    ...(renamed ? [about('panel renamed', `${renamed.from} → ${renamed.to}`, renamed.from, renamed.to)] : []),
    ...panel.panel.map((step) => about('panel', capitalize(panelStepWords[step]))),
    ...(others.length > 0 ? [about('other events', others.join(', '))] : []),
  ];
}

function entityRow(
  what: string,
  panel: PanelChanges,
  { entity, formerly, from, to, steps, at, version, actor, annotations }: EntityChange,
): Row {
  return {
    ...{ what, panel, entity, formerly, at, version, actor },
    statuses: steps,
    before: statusWord(from),
    now: statusWord(to),
    steps: () =>
      separated(
        steps.map((step) => [statusPiece(step)]),
        ' → ',
      ),
    note: from === 'unknown' && greenListWords.some((words) => words === what) ? 'perhaps green before' : '',
    details: [...new Set(annotations.map(fieldChange))].join('; '),
  };
}

/** The net changes of a period, and what of the period was read. */
export type Report = Awaited<ReturnType<typeof readReport>>;

/**
 * The net changes of a period, and the parts of it that the history does not cover.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readReport(
  place: NamedPlace & { readonly history: History },
  query: HistoryQuery,
  now: Instant,
  progress?: Place['progress'],
) {
  const { history } = place;
  const builder = createNetChanges();
  let count = 0;
  try {
    for await (const event of history.findWithoutRows({ ...query, order: 'oldest' })) {
      builder.add(event);
      if (++count % SHOWN_EVERY === 0) progress?.show(count, null);
    }
  } finally {
    progress?.end();
  }
  const { filter = {} } = query;
  const names = await namesIn(place);
  const changes = withKnownIds(builder.result(), names);
  const asked = { ...query, filter, found: changes.events, now };
  const { read, limits, isAnswer } = await answerLimits(place, asked);
  return {
    changes,
    /** What of the period was read, by catalogue: the report is about this part alone. */
    read,
    /** The filter in words, such as `panel Hearing loss; R code R67`; empty without one. */
    filter: filterWords(filter, names),
    /** What else limits the answer, each with its kind. */
    limits,
    /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
    isAnswer,
  };
}

const SHOWN_EVERY = 500;

/** Net changes whose genes have the HGNC id that their catalogue states elsewhere: few events of a gene state it. */
function withKnownIds(changes: NetChanges, names: Pick<EntityNames, 'hgncIdIn'>): NetChanges {
  return { ...changes, panels: changes.panels.map((panel) => panelWithIds(panel, names)) };
}

function panelWithIds(panel: PanelChanges, names: Pick<EntityNames, 'hgncIdIn'>): PanelChanges {
  const withId = (change: EntityChange): EntityChange => {
    const { entity } = change;
    if (entity.type !== 'gene' || entity.hgncId !== undefined) return change;
    const hgncId = names.hgncIdIn(panel.catalogue, entity.name);
    return hgncId === null ? change : { ...change, entity: { ...entity, hgncId } };
  };
  const lists = Object.entries(panel.lists).map(([words, changes]) => [words, changes.map(withId)]);
  return { ...panel, lists: Object.fromEntries(lists) };
}
