import { type EventKindName, kindOf } from '../events/kinds.ts';
import type { Entity, EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityChange, EntityStatus } from '../filters/entity-history.ts';
import {
  type ChangeListWords,
  changeLists,
  changeListWords,
  greenListWords,
  greenTurnNames,
  greenTurns,
} from '../filters/green-turn.ts';
import { countOfList, type NetChanges, netChangesOf, type PanelChanges } from '../filters/net-changes.ts';
import { counted, enumerate } from '../run/text.ts';
import {
  type ChangeLine,
  type ChangeList,
  entityColumns,
  groupsOf,
  type ListedChange,
  linesOf,
  listFile,
  placeColumns,
  statusWord,
  versionCell,
} from './change-csv.ts';
import { countedKind, DISAGREEMENTS } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { digestRows, type PanelRows } from './digest-rows.ts';
import { type MessageContext, subscriptionLines } from './message-context.ts';
import { type Block, type Notice, rowExtras, type Tone } from './notice.ts';
import { dayWords, entityName, panelStepWords, panelTitle, threadId } from './panel-words.ts';
import { type Phrase, phrase, statusPiece } from './phrase.ts';
import type { TimeWords } from './value-words.ts';

/** The period that a digest covers. Times in ISO 8601; `until` is the first instant after it. */
export interface DigestPeriod {
  readonly since: string;
  readonly until: string;
}

interface DigestContext extends MessageContext {
  readonly subscription: string;
  /** Ids of events that the subscription's filter leaves out, and that the others need to be true. */
  readonly unasked?: ReadonlySet<string>;
  /** How much of the period was read, in sentences; absent where no history is kept. */
  readonly coverage?: DigestCoverage;
  /** What of other catalogues was not compared, in sentences. */
  readonly uncompared?: readonly string[];
  /** What waits for a sign-off; absent where it was not asked for. */
  readonly lag?: DigestLag;
}

/** How much of a period was read, for people. */
export interface DigestCoverage {
  /** What can be said where nothing was found: never more than what was read. */
  readonly nothing: string;
  /** A sentence for each part that was not read. */
  readonly unread: readonly string[];
}

/** The message about all events of a period, oldest first: what they changed in the end, by panel. */
export function noticeOfDigest(
  events: readonly PanelEvent[],
  { since, until }: DigestPeriod,
  context: DigestContext,
): Notice {
  const { coverage, uncompared = [], lag, times, subscription } = context;
  const unread = [...(coverage?.unread ?? []), ...uncompared];
  const net = netChangesOf(events);
  const { panels, wasShown } = digestRows(events, net, context);
  const lists = listsOf(panels);
  const groups = groupsOf(lists);
  const period = times.period(since, new Date(Date.parse(until) - 1).toISOString());
  const waiting = lag ? lagFileLines(lag, times) : [];
  const signedOff = panels.flatMap(({ signOffs }) => signOffs.cells);
  const nothing = coverage?.nothing ?? 'No change was published in this period.';
  const none = unread.length > 0 ? 'nothing found in what was read' : 'nothing changed';
  const text = (sentence: string): Block => ({ kind: 'text', text: phrase`${sentence}` });
  return {
    headline: phrase`Panel changes ${period}: ${changePhrases(net, lists).join(', ') || none}`,
    tone: groups[0]?.tone ?? 'plain',
    blocks: [
      ...(events.length === 0
        ? [text(nothing)]
        : [...groups, ...restSentences(net, events, { wasShown, also: groups.length > 0 }).map(text)]),
      ...unread.map(text),
      ...(lag ? lagBlocks(lag, context) : []),
    ],
    links: [],
    thread: { id: threadId('digest', subscription), title: `Panel changes: ${subscription}` },
    ...listFile(`Panel changes ${period}`, [...linesOf(lists), ...signedOff, ...waiting], {
      always: signedOff.length + waiting.length > 0,
    }),
    footer: [...subscriptionLines(context), `Period: from ${times.moment(since)} to ${times.moment(until)}.`],
  };
}

function toneOf(words: ChangeListWords): Tone {
  const turn = greenTurnNames.find((name) => greenTurns[name].words === words);
  if (turn !== undefined) return greenTurns[turn].tone;
  return words === 'other change of rating' ? 'amber' : 'plain';
}

const CORRECTION = 'Correction';
const INHERITANCE = 'Mode of inheritance changed';

/** What the period changed, in the order in which it is shown: what must be known first. */
function listsOf(panels: readonly PanelRows[]): readonly ChangeList[] {
  const byPanel = (
    [title, tone]: readonly [title: string, tone: Tone],
    changesOf: (rows: PanelRows) => readonly ListedChange[],
    entitiesOf: (panel: PanelChanges) => readonly EntityChange[] = () => [],
  ): ChangeList => ({
    ...{ title, tone },
    parts: panels.map((rows) => ({ ...rows.heading(entitiesOf(rows.panel)), changes: changesOf(rows) })),
  });
  const ofEntities = (what: ChangeListWords): ChangeList => ({
    what,
    ...byPanel(
      [changeLists[what], toneOf(what)],
      ({ panel, change }) => panel.lists[what].map(change),
      ({ lists }) => lists[what],
    ),
  });
  const ofPanels = (
    title: string,
    wordsOf: (rows: PanelRows) => readonly (string | false | null)[],
    moreOf: (rows: PanelRows) => readonly Phrase[] = () => [],
  ): ChangeList => {
    const changes = panels.flatMap((rows): readonly ListedChange[] => {
      const words = wordsOf(rows).filter(Boolean).join(', ');
      if (words === '') return [];
      const row = { name: rows.title, words: phrase`${cleanLine(words)}` };
      return [{ row: { ...row, ...rowExtras(moreOf(rows), null) } }];
    });
    return { title, tone: 'plain', parts: [{ changes }] };
  };
  return [
    byPanel([CORRECTION, 'amber'], ({ corrections }) => corrections),
    ...greenListWords.map(ofEntities),
    byPanel([INHERITANCE, 'amber'], ({ inheritance }) => inheritance),
    byPanel([DISAGREEMENTS, 'amber'], ({ disagreements }) => disagreements),
    ofPanels(
      'Promoted or signed off',
      ({ panel: { promoted }, signOffs }) => [
        promoted && `${promoted.from ? `${promoted.from} → ` : 'promoted to '}${promoted.to}`,
        ...signOffs.words,
      ],
      ({ signOffs }) => signOffs.more,
    ),
    ...changeListWords.filter((words) => !greenListWords.includes(words)).map(ofEntities),
    byPanel(['Renamed or replaced', 'plain'], ({ panel }) =>
      panel.renamedEntities.map(({ from, to }) => ({
        row: { name: cleanLine(to), words: phrase`was ${cleanLine(from)}` },
        cells: {
          ...placeColumns({ ...panel, relevantDisorders: panel.disorders }, panel.catalogue),
          ...{ 'gene, STR or region': cleanLine(to), formerly: cleanLine(from) },
        },
      })),
    ),
    ofPanels('Other changes of panels', ({ panel: { panel, renamed } }) => [
      renamed && `was named ${renamed.from}`,
      ...panel.map((what) => panelStepWords[what]),
    ]),
  ];
}

/** `1 correction, 3 now green, 1 no longer, 2 panels promoted`. */
function changePhrases({ panels }: NetChanges, lists: readonly ChangeList[]): readonly string[] {
  const panelsWhere = (holds: (panel: PanelChanges) => unknown): number => panels.filter(holds).length;
  const listed = (title: string): number =>
    lists
      .filter((list) => list.title === title)
      .flatMap(({ parts }) => parts)
      .reduce((sum, { changes }) => sum + changes.length, 0);
  const [green, corrections, inheritance, disagreements] = [
    countOfList(panels, 'now green'),
    listed(CORRECTION),
    listed(INHERITANCE),
    listed(DISAGREEMENTS),
  ];
  const withdrawn = panelsWhere(({ signOff }) => signOff && !signOff.signedOff);
  const gone = panelsWhere(({ panel }) => ['deleted', 'withdrawn'].includes(panel.at(-1) ?? ''));
  const promoted = panelsWhere((panel) => panel.promoted);
  const other = countOfList(panels, 'other change of rating');
  const important = (
    [
      [corrections, counted(corrections, 'correction')],
      [green, `${green} now green`],
      [countOfList(panels, 'rated green, perhaps green before'), '# rated green (perhaps before)'],
      [countOfList(panels, 'no longer green'), `# no longer${green > 0 ? '' : ' green'}`],
      [countOfList(panels, 'may no longer be green'), '# may no longer be green'],
      [inheritance, `${counted(inheritance, 'change')} of inheritance`],
      [disagreements, countedKind(disagreements, 'entity.disagreement')],
      [gone, `${counted(gone, 'panel')} gone`],
      [promoted, `${counted(promoted, 'panel')} promoted`],
      [panelsWhere(({ signOff }) => signOff?.signedOff), '# signed off'],
      [withdrawn, `${counted(withdrawn, 'sign-off')} withdrawn`],
    ] as const
  ).flatMap(([count, words]) => (count > 0 ? [words.replace('#', String(count))] : []));
  if (important.length > 0 || panels.length === 0) return important;
  return [other > 0 ? counted(other, 'other rating') : 'small changes only'];
}

const MOST_NAMED = 3;

/** What a digest shows by its number, with the names where they are few: `Also: 14 changes of tags, 1 review (BRCA1).` */
function restSentences(
  { panels, withoutPanel }: NetChanges,
  events: readonly PanelEvent[],
  { wasShown, also }: { readonly wasShown: (event: PanelEvent) => boolean; readonly also: boolean },
): readonly string[] {
  const counts = new Map<EventKindName, number>();
  for (const { rest } of [...panels, { rest: { 'activity.unclassified': withoutPanel } }])
    for (const [kind, count] of Object.entries(rest) as [EventKindName, number][])
      counts.set(kind, (counts.get(kind) ?? 0) + count);
  const phrases = [...counts].flatMap(([kind, count]) => {
    const ofKind = events.filter((event) => kindOf(event.type) === kind && isCounted(event));
    const [shown, others] = [ofKind.filter(wasShown), ofKind.filter((each) => !wasShown(each))];
    if (count <= shown.length) return [];
    const words = countedKind(count - shown.length, kind);
    const names = new Set(others.flatMap(({ data }) => (data.entity ? [entityName(data.entity)] : [])));
    return [names.size > 0 && names.size <= MOST_NAMED ? `${words} (${[...names].join(', ')})` : words];
  });
  return phrases.length === 0 ? [] : [`${also ? 'Also: ' : ''}${enumerate(phrases)} on your panels.`];
}

/** Of ratings, those that confirm one are counted; the others have rows. */
const isCounted = (event: PanelEvent): boolean =>
  event.type !== 'gene-panel.entity.classified.v1' || event.data.change.direction === 'unchanged';

/** An entity whose rating in the signed-off version of a panel is another than in the newest one. */
export interface LagLine {
  readonly catalogue: string;
  readonly panel: EventPanel;
  readonly entity: Entity;
  /** The version that is signed off, and its day, such as `2023-03-22`. */
  readonly signedOff: { readonly version: string; readonly date: string };
  /** The rating in the signed-off version. */
  readonly before: EntityStatus;
  /** The rating in the newest version that is known. */
  readonly after: EntityStatus;
  /** ISO 8601. */
  readonly since: string;
  readonly sinceVersion: string;
  /** False where it may have been so earlier. */
  readonly sinceIsExact: boolean;
  readonly days: number;
}

/** What waits for a sign-off on the panels of a digest, each list with the longest first. */
export interface DigestLag {
  readonly downgraded: readonly LagLine[];
  readonly awaiting: readonly LagLine[];
  /** How many panels were compared with their signed-off version. */
  readonly compared: number;
  /** What of it is unknown, in sentences. */
  readonly unknown: readonly string[];
}

const kinds = ['downgraded', 'awaiting'] as const;

/** What still counts as green and is it no longer comes first. */
const sections: Readonly<
  Record<(typeof kinds)[number], { readonly title: string; readonly tone: Tone; readonly none: string }>
> = {
  downgraded: {
    title: 'Signed off as green, no longer green',
    tone: 'red',
    none: 'Nothing that is signed off as green was found to be no longer green.',
  },
  awaiting: {
    title: 'Green, not signed off yet',
    tone: 'amber',
    none: 'Nothing was found to be green that is not signed off yet.',
  },
};

function lagBlocks(lag: DigestLag, { times, now }: MessageContext): readonly Block[] {
  const text = (sentence: string): Block => ({ kind: 'text', text: phrase`${sentence}` });
  return [
    text(`What waits for a sign-off, as of ${times.moment(now)}:`),
    ...kinds.flatMap((kind): readonly Block[] => {
      if (lag[kind].length > 0) return groupsOf([listOf(kind, lag, times)]);
      return lag.compared > 0
        ? [text(`${sections[kind].none} ${counted(lag.compared, 'panel')} compared.`)]
        : [];
    }),
    ...lag.unknown.map(text),
  ];
}

const lagFileLines = (lag: DigestLag, times: TimeWords): readonly ChangeLine[] =>
  linesOf(kinds.map((kind) => listOf(kind, lag, times)));

function listOf(kind: (typeof kinds)[number], lag: DigestLag, times: TimeWords): ChangeList {
  const byPanel = Map.groupBy(lag[kind], ({ catalogue, panel }) => `${catalogue} ${panel.id}`);
  const parts = [...byPanel.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { panel, signedOff, catalogue } = first;
    const [version, day] = [cleanLine(signedOff.version), dayWords(signedOff.date)];
    return [
      {
        heading: phrase`${panelTitle(panel)}`,
        note: phrase`signed off: ${version}, since ${day}; newest: ${cleanLine(panel.version ?? '')}`,
        changes: own.map(({ entity, before, after, since, sinceVersion, sinceIsExact, days }) => ({
          row: {
            name: entityName(entity),
            words: phrase`${statusPiece(before)} → ${statusPiece(after)}`,
            note: phrase`since ${times.day(since)}${sinceIsExact ? '' : ' or earlier'}, version ${cleanLine(sinceVersion)} (${counted(days, 'day')})`,
          },
          cells: {
            ...placeColumns(panel, catalogue),
            ...entityColumns(entity),
            ...{ before: statusWord(before), now: statusWord(after), on: times.isoDay(since) },
            'version of the change': versionCell(sinceVersion),
            details: `${sinceIsExact ? '' : 'or earlier; '}for ${counted(days, 'day')}; signed off: version ${version}, since ${day}`,
          },
        })),
      },
    ];
  });
  const { title, tone } = sections[kind];
  return { title, tone, parts };
}
