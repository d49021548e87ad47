import { enumerate } from '../events/enumerate.ts';
import { type EventKindName, kindOf } from '../events/kinds.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { type ChangeListWords, changeLists, changeListWords, greenListWords } from '../filters/green-turn.ts';
import { countOfList, type NetChanges, netChangesOf, type PanelChanges } from '../filters/net-changes.ts';
import { type ChangeLine, listFile, panelColumns } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { type DigestLag, lagBlocks, lagFileLines } from './digest-lag.ts';
import {
  type DigestEntities,
  digestEntities,
  type InheritanceChange,
  type PanelFormat,
  panelFormat,
} from './digest-rows.ts';
import { countedWords, kindWords } from './event-labels.ts';
import { type MessageContext, subscriptionLines } from './message-context.ts';
import type { Block, GroupBlock, Notice, Row, Tone } from './notice.ts';
import { entityName, panelStepWords, threadId } from './panel-words.ts';
import { phrase } from './phrase.ts';

/** The period that a digest covers. Times in ISO 8601; `until` is the first instant after it. */
export interface DigestPeriod {
  readonly since: string;
  readonly until: string;
}

/** What is known of a digest's period besides its events. */
interface DigestContext extends MessageContext {
  readonly subscription: string;
  /** Ids of events that the subscription's filter leaves out, and that the others need to be true. */
  readonly unasked?: ReadonlySet<string>;
  /** How much of the period was read, in sentences; absent where no history is kept. */
  readonly coverage?: DigestCoverage;
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
  const net = netChangesOf(events);
  const entities = digestEntities(events, context.unasked);
  const format = panelFormat(events, entities, context);
  const lastInstant = new Date(Date.parse(until) - 1).toISOString();
  const period = context.times.period(since, lastInstant);
  const groups = groupsOf(net, format);
  const inheritance = entities.inheritance();
  const corrections = entities.corrections();
  const all = [
    ...correctionGroup(corrections, net, format),
    ...groups.ratings,
    ...inheritanceGroup(inheritance, net, format),
    ...groups.others,
  ];
  const phrases = changePhrases(net, { inheritance: inheritance.length, corrections: corrections.length });
  const { coverage, lag } = context;
  const waiting = lag ? lagFileLines(lag, context.times.day) : [];
  const signedOff = net.panels.flatMap((panel) => format.signOffs(panel).cells);
  const nothing = coverage?.nothing ?? 'No change was published in this period.';
  const isUnread = (coverage?.unread.length ?? 0) > 0;
  const none = isUnread ? 'nothing found in what was read' : 'nothing changed';
  return {
    headline: phrase`Panel changes ${period}: ${phrases.length > 0 ? phrases.join(', ') : none}`,
    tone: all[0]?.tone ?? 'plain',
    blocks: [
      ...(events.length === 0
        ? [{ kind: 'text', text: phrase`${nothing}` } as const]
        : [...all, ...restBlock(net, events, { entities, also: all.length > 0 })]),
      ...(coverage?.unread ?? []).map((text): Block => ({ kind: 'text', text: phrase`${text}` })),
      ...(lag ? lagBlocks(lag, context) : []),
    ],
    links: [],
    thread: {
      id: threadId('digest', context.subscription),
      title: `Panel changes: ${context.subscription}`,
    },
    ...listFile(
      `Panel changes ${period}`,
      [...fileLines(net, { inheritance, corrections }, format), ...signedOff, ...waiting],
      { always: signedOff.length + waiting.length > 0 },
    ),
    footer: [
      ...subscriptionLines(context),
      `Period: from ${context.times.moment(since)} to ${context.times.moment(until)}.`,
    ],
  };
}

/** The colour of each list of net changes in a digest. */
const listTones: Readonly<Record<ChangeListWords, Tone>> = {
  'now green': 'green',
  'rated green, perhaps green before': 'green',
  'no longer green': 'red',
  'may no longer be green': 'red',
  'other change of rating': 'amber',
  added: 'plain',
  removed: 'plain',
  'changed and changed back': 'plain',
};

/** `1 correction, 3 now green, 1 no longer, 2 panels promoted`. */
function changePhrases(
  { panels }: NetChanges,
  { inheritance, corrections }: { readonly inheritance: number; readonly corrections: number },
): readonly string[] {
  const sum = (count: (panel: PanelChanges) => number): number =>
    panels.reduce((all, panel) => all + count(panel), 0);
  const countOf = (words: ChangeListWords): number => countOfList(panels, words);
  const green = countOf('now green');
  const perhaps = countOf('rated green, perhaps green before');
  const not = countOf('no longer green');
  const perhapsNot = countOf('may no longer be green');
  const promoted = sum((panel) => (panel.promoted ? 1 : 0));
  const signed = sum(({ signOff }) => (signOff?.signedOff ? 1 : 0));
  const withdrawn = sum(({ signOff }) => (signOff && !signOff.signedOff ? 1 : 0));
  const gone = sum(({ panel }) => (isGone(panel) ? 1 : 0));
  const other = countOf('other change of rating');
  const important = [
    corrections > 0 && `${corrections} ${corrections === 1 ? 'correction' : 'corrections'}`,
    green > 0 && `${green} now green`,
    perhaps > 0 && `${perhaps} rated green (perhaps before)`,
    not > 0 && `${not} no longer${green > 0 ? '' : ' green'}`,
    perhapsNot > 0 && `${perhapsNot} may no longer be green`,
    inheritance > 0 && `${inheritance} ${inheritance === 1 ? 'change' : 'changes'} of inheritance`,
    gone > 0 && `${gone} ${gone === 1 ? 'panel' : 'panels'} gone`,
    promoted > 0 && `${promoted} ${promoted === 1 ? 'panel' : 'panels'} promoted`,
    signed > 0 && `${signed} signed off`,
    withdrawn > 0 && `${withdrawn} ${withdrawn === 1 ? 'sign-off' : 'sign-offs'} withdrawn`,
  ].filter((phrase) => phrase !== false);
  if (important.length > 0 || panels.length === 0) return important;
  return [other > 0 ? `${other} other ${other === 1 ? 'rating' : 'ratings'}` : 'small changes only'];
}

/** Whether people cannot see the panel after what happened to it. */
const isGone = (panel: PanelChanges['panel']): boolean =>
  ['deleted', 'withdrawn'].includes(panel.at(-1) ?? '');

interface DigestGroups {
  /** What turned green, and what is green no longer. */
  readonly ratings: readonly GroupBlock[];
  readonly others: readonly GroupBlock[];
}

/** The groups of ratings, and the others, those of panels among them. */
function groupsOf({ panels }: NetChanges, format: PanelFormat): DigestGroups {
  const group = (words: ChangeListWords): GroupBlock => ({
    kind: 'group',
    count: countOfList(panels, words),
    title: changeLists[words],
    tone: listTones[words],
    parts: panels.flatMap((panel) => {
      const rows = panel.lists[words].map((change) => format.row(panel, change));
      return rows.length > 0 ? [format.part(panel, rows)] : [];
    }),
  });
  const filled = (groups: readonly GroupBlock[]): readonly GroupBlock[] =>
    groups.filter(({ parts }) => parts.length > 0);
  const others = changeListWords.filter((words) => !greenListWords.includes(words));
  return {
    ratings: filled(greenListWords.map(group)),
    others: filled([
      promotedGroup(panels, format),
      ...others.map(group),
      renamedGroup(panels, format),
      otherPanelGroup(panels, format),
    ]),
  };
}

/** The group of entities whose mode of inheritance changed, and whose rating did not; none where there are none. */
function inheritanceGroup(
  changes: readonly InheritanceChange[],
  net: NetChanges,
  format: PanelFormat,
): readonly GroupBlock[] {
  const parts = net.panels.flatMap((panel) => {
    const rows = changes
      .filter(({ panel: { catalogue, id } }) => panel.catalogue === catalogue && panel.id === id)
      .map(format.inheritanceRow);
    return rows.length > 0 ? [format.part(panel, rows)] : [];
  });
  if (parts.length === 0) return [];
  return [{ kind: 'group', title: INHERITANCE, tone: 'amber', count: changes.length, parts }];
}

const INHERITANCE = 'Inheritance changed';

/** The group of corrections, also of those that leave no net change: who acted on the false event must see it. */
function correctionGroup(
  events: readonly PanelEvent[],
  net: NetChanges,
  format: PanelFormat,
): readonly GroupBlock[] {
  const parts = net.panels.flatMap((panel) => {
    const rows = events
      .filter(({ data }) => data.catalogue === panel.catalogue && data.panel?.id === panel.id)
      .map(format.correctionRow);
    return rows.length > 0 ? [format.part(panel, rows)] : [];
  });
  if (parts.length === 0) return [];
  return [{ kind: 'group', title: CORRECTION, tone: 'amber', count: events.length, parts }];
}

const CORRECTION = 'Correction';

interface DigestOthers {
  readonly inheritance: readonly InheritanceChange[];
  readonly corrections: readonly PanelEvent[];
}

/** The lines of the digest's file: one for each correction, and for each change of an entity. */
function fileLines(
  { panels }: NetChanges,
  { inheritance, corrections }: DigestOthers,
  format: PanelFormat,
): readonly ChangeLine[] {
  const corrected = corrections.map((event) => ({
    what: CORRECTION.toLowerCase(),
    ...format.correctionCells(event),
  }));
  const changes = changeListWords.flatMap((what) =>
    panels.flatMap((panel) => panel.lists[what].map((change) => ({ what, ...format.cells(panel, change) }))),
  );
  const others = inheritance.map((change) => ({
    what: INHERITANCE.toLowerCase(),
    ...format.inheritanceCells(change),
  }));
  const renamed = panels.flatMap((panel) =>
    panel.renamedEntities.map(({ from, to }) => ({
      what: RENAMED.toLowerCase(),
      ...panelColumns(panel),
      'gene, STR or region': cleanLine(to),
      formerly: cleanLine(from),
    })),
  );
  return [...corrected, ...changes, ...others, ...renamed];
}

const RENAMED = 'Renamed or replaced';

function renamedGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const parts = panels.flatMap((panel) => {
    const rows = panel.renamedEntities.map(({ from, to }) => ({
      name: cleanLine(to),
      words: phrase`was ${cleanLine(from)}`,
    }));
    return rows.length > 0 ? [format.part(panel, rows)] : [];
  });
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  return { kind: 'group', title: RENAMED, tone: 'plain', count, parts };
}

function promotedGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const words = (panel: PanelChanges): readonly (string | false | null)[] => [
    panel.promoted &&
      `${panel.promoted.from ? `${panel.promoted.from} → ` : 'promoted to '}${panel.promoted.to}`,
    ...format.signOffs(panel).words,
  ];
  const group = panelGroup('Promoted or signed off', panels, words, format);
  const byTitle = new Map(panels.map((panel) => [format.title(panel), format.signOffs(panel).lines]));
  const withLines = (row: Row): Row => {
    const more = byTitle.get(row.name) ?? [];
    return more.length > 0 ? { ...row, more } : row;
  };
  return { ...group, parts: group.parts.map((part) => ({ ...part, rows: part.rows.map(withLines) })) };
}

function otherPanelGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const words = ({ panel, renamed }: PanelChanges): readonly (string | false | null)[] => [
    renamed && `was named ${renamed.from}`,
    ...panel.map((what) => panelStepWords[what]),
  ];
  return panelGroup('Other changes of panels', panels, words, format);
}

function panelGroup(
  title: string,
  panels: readonly PanelChanges[],
  words: (panel: PanelChanges) => readonly (string | false | null)[],
  format: PanelFormat,
): GroupBlock {
  const rows = panels.flatMap((panel): readonly Row[] => {
    const phrases = words(panel).filter(Boolean);
    return phrases.length > 0
      ? [{ name: format.title(panel), words: phrase`${cleanLine(phrases.join(', '))}` }]
      : [];
  });
  return {
    kind: 'group',
    title,
    tone: 'plain',
    count: rows.length,
    parts: rows.length > 0 ? [{ rows }] : [],
  };
}

/** So many genes, STRs and regions are named beside their number; more are only counted. */
const MOST_NAMED = 3;

interface ShownBefore {
  readonly entities: DigestEntities;
  /** Whether groups stand before. */
  readonly also: boolean;
}

/** What a digest shows by its number, with the names where they are few: `Also: 14 changes of tags, 1 review (BRCA1).` */
function restBlock(
  { panels, withoutPanel }: NetChanges,
  events: readonly PanelEvent[],
  { entities, also }: ShownBefore,
): readonly Block[] {
  const counts = new Map<EventKindName, number>();
  const add = (kind: EventKindName, count: number): void =>
    void counts.set(kind, (counts.get(kind) ?? 0) + count);
  for (const { rest } of panels) {
    for (const [kind, count] of Object.entries(rest)) add(kind as EventKindName, count);
  }
  add('activity.unclassified', withoutPanel);
  const phrases = [...counts].flatMap(([kind, count]) => {
    const ofKind = events.filter(({ type }) => kindOf(type) === kind);
    const left = count - ofKind.filter((event) => isCounted(event) && entities.wasShown(event)).length;
    if (left <= 0) return [];
    const words = countedWords(left, kindWords[kind]);
    const names = new Set(
      ofKind.filter((event) => isCounted(event) && !entities.wasShown(event)).flatMap(nameOf),
    );
    return [names.size > 0 && names.size <= MOST_NAMED ? `${words} (${[...names].join(', ')})` : words];
  });
  if (phrases.length === 0) return [];
  return [{ kind: 'text', text: phrase`${also ? 'Also: ' : ''}${enumerate(phrases)} on your panels.` }];
}

/** Of ratings, those that confirm one are counted; the others have rows. */
const isCounted = (event: PanelEvent): boolean =>
  event.type !== 'gene-panel.entity.classified.v1' || event.data.change.direction === 'unchanged';

const nameOf = ({ data }: PanelEvent): readonly string[] => (data.entity ? [entityName(data.entity)] : []);
