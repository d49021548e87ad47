import type { EventKindName } from '../events/changes.ts';
import { enumerate } from '../events/enumerate.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityChange } from '../subscriptions/entity-history.ts';
import { type NetChanges, netChangesOf, type PanelChanges } from '../subscriptions/net-changes.ts';
import { cleanLine } from './clean-text.ts';
import { type CountedWords, countedWords, kindWords } from './counted-kinds.ts';
import { entityChangeRow } from './entity-change-row.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, GroupBlock, Notice, Part, Row, Tone } from './notice.ts';
import { pageAddress, withoutEntity } from './page-address.ts';
import { panelName } from './panel-words.ts';
import { linkPiece, phrase } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';
import { threadId } from './thread.ts';

/** The period that a digest covers. Times in ISO 8601; `until` is the first instant after it. */
export interface DigestPeriod {
  readonly since: string;
  readonly until: string;
}

/** The message about all events of a period, oldest first: what they changed in the end, by panel. */
export function noticeOfDigest(
  events: readonly PanelEvent[],
  { since, until }: DigestPeriod,
  context: MessageContext & { readonly subscription: string },
): Notice {
  const net = netChangesOf(events);
  const format = panelFormat(events, context);
  const lastInstant = new Date(Date.parse(until) - 1).toISOString();
  const period = context.times.period(since, lastInstant);
  const groups = groupsOf(net, format);
  const phrases = changePhrases(net);
  const nothing: Block = { kind: 'text', text: phrase`Nothing changed in this period.` };
  return {
    headline: phrase`Panel changes ${period}: ${phrases.length > 0 ? phrases.join(', ') : 'nothing changed'}`,
    tone: groups[0]?.tone ?? 'plain',
    blocks: events.length === 0 ? [nothing] : [...groups, ...restBlock(net, groups.length > 0)],
    links: [],
    thread: {
      id: threadId('digest', context.subscription),
      title: `Panel changes: ${context.subscription}`,
    },
    footer: [
      ...subscriptionLines(context),
      `Period: from ${context.times.moment(since)} to ${context.times.moment(until)}.`,
    ],
  };
}

/** `3 now green, 1 no longer, 2 panels promoted`. */
function changePhrases({ panels }: NetChanges): readonly string[] {
  const sum = (count: (panel: PanelChanges) => number): number =>
    panels.reduce((all, panel) => all + count(panel), 0);
  const green = sum(({ nowGreen }) => nowGreen.length);
  const not = sum(({ noLongerGreen }) => noLongerGreen.length);
  const promoted = sum((panel) => (panel.promoted ? 1 : 0));
  const signed = sum(({ signedOff }) => (signedOff ? 1 : 0));
  const other = sum(({ otherRatings }) => otherRatings.length);
  const phrases = [
    green > 0 && `${green} now green`,
    not > 0 && `${not} no longer${green > 0 ? '' : ' green'}`,
    promoted > 0 && `${promoted} ${promoted === 1 ? 'panel' : 'panels'} promoted`,
    signed > 0 && `${signed} signed off`,
    green + not + promoted + signed === 0 &&
      other > 0 &&
      `${other} other ${other === 1 ? 'rating' : 'ratings'}`,
    green + not + promoted + signed + other === 0 && panels.length > 0 && 'small changes only',
  ];
  return phrases.filter((part) => part !== false);
}

/** Shows a panel and its changes. */
interface PanelFormat {
  /** `Hearing loss (R67)`, `1.5 → 2.0`, and the page's address. */
  part(panel: PanelChanges, rows: readonly Row[]): Part;
  title(panel: PanelChanges): string;
  day(at: string): string;
}

/** How panels are shown, with what net changes leave out: codes, the version at the beginning, the page for people. */
function panelFormat(events: readonly PanelEvent[], { times, namesCatalogue }: MessageContext): PanelFormat {
  const first = new Map<string, EventPanel>();
  const last = new Map<string, PanelEvent>();
  for (const event of events) {
    const { catalogue, panel } = event.data;
    if (!panel) continue;
    const key = `${catalogue} ${panel.id}`;
    if (!first.has(key)) first.set(key, panel);
    last.set(key, event);
  }
  const keyOf = ({ catalogue, id }: PanelChanges): string => `${catalogue} ${id}`;
  const title = (panel: PanelChanges): string => {
    const newest = last.get(keyOf(panel))?.data.panel;
    const { name, codes } = panelName(newest ? { ...newest, name: panel.name } : null);
    return `${name}${codes}${namesCatalogue ? `, catalogue ${cleanLine(panel.catalogue)}` : ''}`;
  };
  return {
    title,
    part: (panel, rows) => {
      const event = last.get(keyOf(panel));
      const address = event ? pageAddress(withoutEntity(event)) : null;
      const heading = title(panel);
      const before = first.get(keyOf(panel))?.version ?? null;
      const { version } = panel;
      const note =
        version === null ? '' : before === null || before === version ? version : `${before} → ${version}`;
      return {
        heading: address === null ? phrase`${heading}` : [linkPiece(heading, address)],
        rows,
        ...(note && { note: phrase`${cleanLine(note)}` }),
      };
    },
    day: times.shortDay,
  };
}

function groupsOf({ panels }: NetChanges, format: PanelFormat): readonly GroupBlock[] {
  const entities = (
    title: string,
    tone: Tone,
    changes: (panel: PanelChanges) => readonly EntityChange[],
  ): GroupBlock => ({
    kind: 'group',
    count: panels.reduce((sum, panel) => sum + changes(panel).length, 0),
    title,
    tone,
    parts: panels.flatMap((panel) => {
      const rows = changes(panel).map((change) => entityChangeRow(change, format.day(change.at)));
      return rows.length > 0 ? [format.part(panel, rows)] : [];
    }),
  });
  const green = new Set(panels.flatMap(({ nowGreen, noLongerGreen }) => [...nowGreen, ...noLongerGreen]));
  const groups = [
    entities('Now green', 'green', ({ nowGreen }) => nowGreen),
    entities('No longer green', 'red', ({ noLongerGreen }) => noLongerGreen),
    promotedGroup(panels, format),
    entities('Changed and changed back', 'plain', ({ changedBack }) => changedBack),
    entities('Other ratings', 'amber', ({ otherRatings }) => otherRatings),
    entities('Added', 'plain', ({ added }) => added.filter((change) => !green.has(change))),
    entities('Removed', 'plain', ({ removed }) => removed.filter((change) => !green.has(change))),
    otherPanelGroup(panels, format),
  ];
  return groups.filter(({ parts }) => parts.length > 0);
}

function promotedGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const words = ({ promoted, signedOff }: PanelChanges): readonly (string | false | null)[] => [
    promoted && `${promoted.from ? `${promoted.from} → ` : 'promoted to '}${promoted.to}`,
    signedOff === true && 'signed off',
    signedOff === false && 'signed-off version withdrawn',
  ];
  return panelGroup('Promoted or signed off', panels, words, format);
}

function otherPanelGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const words = ({ panel, renamed }: PanelChanges): readonly (string | false | null)[] => [
    renamed && `was named ${renamed.from}`,
    ...panel.map((verb) => panelVerbs[verb]),
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

const panelVerbs = {
  created: 'new panel',
  deleted: 'deleted',
  published: 'now public',
  withdrawn: 'no longer public',
} as const;

/** `Also: 14 changes of tags, 31 reviews.` */
function restBlock({ panels, withoutPanel }: NetChanges, also: boolean): readonly Block[] {
  const counts = new Map<CountedWords, number>();
  for (const { rest, renamedEntities } of panels) {
    add(counts, kindWords['entity.renamed'], renamedEntities.length);
    for (const [kind, count] of Object.entries(rest)) add(counts, kindWords[kind as EventKindName], count);
  }
  add(counts, kindWords['activity.unclassified'], withoutPanel);
  if (counts.size === 0) return [];
  const phrases = [...counts].map(([words, count]) => countedWords(count, words));
  return [{ kind: 'text', text: phrase`${also ? 'Also: ' : ''}${enumerate(phrases)} on your panels.` }];
}

const add = (counts: Map<CountedWords, number>, words: CountedWords, count: number): void => {
  if (count > 0) counts.set(words, (counts.get(words) ?? 0) + count);
};
