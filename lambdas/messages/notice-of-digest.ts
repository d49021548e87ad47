import type { EventKindName } from '../events/changes.ts';
import { enumerate } from '../events/enumerate.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityChange, EntityStatus } from '../subscriptions/entity-history.ts';
import { type NetChanges, netChangesOf, type PanelChanges } from '../subscriptions/net-changes.ts';
import { cleanLine } from './clean-text.ts';
import { countedWords, kindWords } from './counted-kinds.ts';
import { entityName } from './entity-name.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, GroupBlock, Notice, Part, Row, Tone } from './notice.ts';
import { pageAddress } from './page-address.ts';
import { panelName } from './panel-words.ts';
import { ratingWord } from './rating-words.ts';
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
  const footer = context.reason ? [context.reason] : [];
  const nothing: Block = { kind: 'text', text: 'Nothing changed in this period.' };
  return {
    headline: {
      start: `Panel changes ${period}: `,
      name: '',
      end: phrases.length > 0 ? phrases.join(', ') : 'nothing changed',
    },
    tone: groups[0]?.tone ?? 'plain',
    blocks: events.length === 0 ? [nothing] : [...groups, ...restBlock(net, groups.length > 0)],
    links: [],
    thread: {
      id: threadId('digest', context.subscription),
      title: `Panel changes: ${context.subscription}`,
    },
    footer: [...footer, `Period: from ${context.times.moment(since)} to ${context.times.moment(until)}.`],
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
      const whole = event && ({ ...event, data: { ...event.data, entity: null } } as PanelEvent);
      const address = whole ? pageAddress(whole) : null;
      const before = first.get(keyOf(panel))?.version ?? null;
      const { version } = panel;
      const note =
        version === null ? '' : before === null || before === version ? version : `${before} → ${version}`;
      return {
        heading: title(panel),
        rows,
        ...(note && { note: cleanLine(note) }),
        ...(address !== null && { address }),
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
      const rows = changes(panel).map((change) => rowOf(change, format));
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
    return phrases.length > 0 ? [{ name: format.title(panel), words: cleanLine(phrases.join(', ')) }] : [];
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

/** `amber → green`, with what lay between and when. */
function rowOf(change: EntityChange, format: PanelFormat): Row {
  const { from, to, steps } = change;
  const name = entityName(change.entity);
  const between = [...new Set(steps.slice(1, -1).map(word))].filter(
    (step) => step !== word(from) && step !== word(to) && step !== 'unknown',
  );
  const back = from === to;
  const path = back ? backWords(change) : wordsOf(change);
  const note = [format.day(change.at), !back && between.length > 0 && `(${enumerate(between)} in between)`]
    .filter(Boolean)
    .join('  ');
  // Under "Added", a row need not say so again.
  if (/^(?:added|removed)$/.test(path)) return { name, words: note };
  return {
    name,
    words: path,
    ratings: [...new Set(back ? steps : [from, to])].filter(isRating),
    ...(note && { note }),
  };
}

function wordsOf({ from, to }: EntityChange): string {
  if (to === 'absent') return isRating(from) ? `removed, was ${word(from)}` : 'removed';
  if (from === 'absent') return isRating(to) ? `added as ${word(to)}` : 'added';
  if (!isRating(from)) return `${to === 'none' ? '' : 'rated '}${word(to)} (earlier rating unknown)`;
  return `${word(from)} → ${word(to)}`;
}

function backWords({ from, steps }: EntityChange): string {
  if (from === 'absent') return 'added and removed again';
  return steps.map(word).join(' → ');
}

const isRating = (state: EntityStatus): state is 'green' | 'amber' | 'red' | 'none' =>
  state === 'green' || state === 'amber' || state === 'red' || state === 'none';
const word = (state: EntityStatus): string =>
  isRating(state) ? ratingWord(state) : state === 'absent' ? 'not on the panel' : 'unknown';

/** `Also: 14 changes of tags, 31 reviews.` */
function restBlock({ panels, withoutPanel }: NetChanges, also: boolean): readonly Block[] {
  const counts = new Map<string, number>();
  for (const { rest, renamedEntities } of panels) {
    if (renamedEntities.length > 0) add(counts, 'renamed', renamedEntities.length);
    for (const [kind, count] of Object.entries(rest))
      add(counts, kindWords[kind as EventKindName] ?? 'others', count);
  }
  if (withoutPanel > 0) add(counts, kindWords['activity.unclassified'] ?? 'others', withoutPanel);
  if (counts.size === 0) return [];
  const phrases = [...counts].map(([words, count]) => countedWords(count, words));
  return [{ kind: 'text', text: `${also ? 'Also: ' : ''}${enumerate(phrases)} on your panels.` }];
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};
