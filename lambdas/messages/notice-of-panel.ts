import type { EventKindName } from '../events/changes.ts';
import { enumerate } from '../events/enumerate.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';
import { type EventWords, eventWords } from './event-words.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, GroupBlock, Headline, Notice, Row, Tone } from './notice.ts';
import { noticeOfEvent } from './notice-of-event.ts';
import { pageAddress } from './page-address.ts';
import { panelName, panelPlace } from './panel-words.ts';
import { threadOf } from './thread.ts';

/** The message about several events of one panel, oldest first; about one event, as `noticeOfEvent` gives it. */
export function noticeOfPanel(
  events: readonly [PanelEvent, ...PanelEvent[]],
  context: MessageContext,
): Notice {
  const distinct = withoutRepeats(events);
  const [first, ...others] = distinct;
  if (first && others.length === 0) return noticeOfEvent(first, context);
  const newest = events.at(-1) ?? events[0];
  const { panel } = newest.data;
  const groups = groupsOf(distinct);
  const address = pageAddress({ ...newest, data: { ...newest.data, entity: null } } as PanelEvent);
  return {
    headline: headlineOf(distinct, groups),
    tone: groups[0]?.tone ?? 'plain',
    blocks: [
      panelPlace(panel, context.namesCatalogue ? newest.data.catalogue : undefined),
      ...panelBlock(distinct),
      { kind: 'byline', text: periodOf(distinct, context) },
      ...groups,
    ],
    links: address === null ? [] : [{ label: 'Panel', address }],
    thread: threadOf(newest.data),
    footer: [
      ...(context.reason ? [context.reason] : []),
      `${events.length} events, the first ${events[0].id}, the last ${newest.id}`,
    ],
  };
}

/** An added entity with a rating is an event of its own; the row that states the rating says all of it. */
function withoutRepeats(events: readonly PanelEvent[]): readonly PanelEvent[] {
  const rated = new Set(
    events.flatMap((event) =>
      event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction === 'new'
        ? [event.subject]
        : [],
    ),
  );
  return events.filter(({ type, subject }) => type !== 'gene-panel.entity.added.v1' || !rated.has(subject));
}

interface Sort {
  readonly title: string;
  /** In a headline, behind a count: of one, and of several. */
  readonly counted: readonly [one: string, several: string];
  readonly tone: Tone;
  readonly holds: (event: PanelEvent, kind: EventKindName | undefined) => boolean;
}

/** What a reader must see first comes first. */
const sorts: readonly Sort[] = [
  {
    title: 'Now green',
    counted: ['now green', 'now green'],
    tone: 'green',
    holds: (event) => ratingOf(event, 'to') === 'green' && changes(event),
  },
  {
    title: 'No longer green',
    counted: ['no longer green', 'no longer green'],
    tone: 'red',
    holds: (event) => ratingOf(event, 'from') === 'green' && changes(event),
  },
  {
    title: 'Other ratings',
    counted: ['other rating', 'other ratings'],
    tone: 'amber',
    holds: (_event, kind) => kind === 'entity.classified',
  },
  {
    title: 'Added',
    counted: ['added', 'added'],
    tone: 'plain',
    holds: (_event, kind) => kind === 'entity.added',
  },
  {
    title: 'Removed',
    counted: ['removed', 'removed'],
    tone: 'plain',
    holds: (_event, kind) => kind === 'entity.removed',
  },
  {
    title: 'Renamed',
    counted: ['renamed', 'renamed'],
    tone: 'plain',
    holds: (_event, kind) => kind === 'entity.renamed',
  },
  {
    title: 'Tags',
    counted: ['change of tags', 'changes of tags'],
    tone: 'plain',
    holds: (_event, kind) => kind === 'entity.tags-changed',
  },
  {
    title: 'Details',
    counted: ['change of details', 'changes of details'],
    tone: 'plain',
    holds: (_event, kind) => kind === 'entity.annotated',
  },
  {
    title: 'Reviews and comments',
    counted: ['review or comment', 'reviews and comments'],
    tone: 'plain',
    holds: (_event, kind) => kind?.startsWith('entity.') === true,
  },
  {
    title: 'Not recognised',
    counted: ['not recognised', 'not recognised'],
    tone: 'plain',
    holds: (_event, kind) => kind === undefined || kind === 'activity.unclassified',
  },
];

const changes = ({ data }: PanelEvent): boolean =>
  'direction' in data.change && data.change.direction !== 'unchanged';

function ratingOf(event: PanelEvent, side: 'from' | 'to'): string | null {
  return event.type === 'gene-panel.entity.classified.v1' ? event.data.change[side] : null;
}

function groupsOf(events: readonly PanelEvent[]): readonly GroupBlock[] {
  const about = events.filter(({ type }) => !kindOf(type)?.startsWith('panel.'));
  const bySort = Map.groupBy(about, sortOf);
  return sorts.flatMap((sort) => {
    const own = bySort.get(sort);
    if (!own) return [];
    return [
      {
        kind: 'group' as const,
        title: sort.title,
        tone: sort.tone,
        count: own.length,
        parts: [{ rows: shortList(own.map(rowOf), sort.title) }],
      },
    ];
  });
}

const sortOf = (event: PanelEvent): Sort | undefined =>
  sorts.find(({ holds }) => holds(event, kindOf(event.type)));

/** Names alone, one after the other, where all rows say the same in one word: that of the title, or of many rows. */
function shortList(rows: readonly Row[], title: string): readonly Row[] {
  const [first] = rows;
  const alike = rows.every(
    ({ words, note }) => note === undefined && words === first?.words && /^\w+$/.test(words),
  );
  if (!alike || (rows.length < 4 && first?.words !== title.toLowerCase())) return rows;
  return [{ name: '', words: [...new Set(rows.map(({ name }) => name))].join(', ') }];
}

function rowOf(event: PanelEvent): Row {
  const { row, quote } = eventWords(event);
  return quote === null ? row : { ...row, note: `“${cleanLine(quote)}”` };
}

/** What happened to the panel itself: `promoted to version 6.0, signed off`. */
function panelBlock(events: readonly PanelEvent[]): readonly Block[] {
  return panelEvents(events).map((event) => {
    const { row } = eventWords(event);
    const who = cleanLine(event.data.actor ?? '');
    return { kind: 'text', text: `${verbOf(event)}: ${row.words}${who === '' ? '' : `, by ${who}`}` };
  });
}

const panelEvents = (events: readonly PanelEvent[]): readonly PanelEvent[] =>
  events.filter(({ type }) => kindOf(type)?.startsWith('panel.'));

const verbOf = (event: PanelEvent): string => eventWords(event).verb;

function periodOf(events: readonly PanelEvent[], { times }: MessageContext): string {
  const at = events.flatMap(({ time }) => time ?? []).sort();
  const [first, last] = [at[0], at.at(-1)];
  if (first === undefined || last === undefined) return '';
  const people = [...new Set(events.map(({ data }) => cleanLine(data.actor ?? '')).filter(Boolean))];
  const by =
    people.length === 0 ? '' : people.length > 3 ? ` by ${people.length} people` : ` by ${enumerate(people)}`;
  const when = times.day(first) === times.day(last) ? times.moment(last) : times.period(first, last);
  return `Changed${by}, ${when}`;
}

function headlineOf(events: readonly PanelEvent[], groups: readonly GroupBlock[]): Headline {
  return headlineOfOne(events) ?? headlineOfSeveral(events, groups);
}

/** Of changes of one entity, the weightiest is the sentence. */
function headlineOfOne(events: readonly PanelEvent[]): Headline | null {
  const subjects = new Set(events.map(({ subject, data }) => (data.entity === null ? null : subject)));
  const [first, ...others] = [...events].sort((one, other) => weightOf(one) - weightOf(other));
  if (!first || subjects.size !== 1 || subjects.has(null)) return null;
  const { start, name, end } = eventWords(first).headline;
  return {
    start,
    name,
    end: `${end}, and ${others.length} more ${others.length === 1 ? 'change' : 'changes'}`,
  };
}

function weightOf(event: PanelEvent): number {
  const sort = sortOf(event);
  return sort === undefined ? sorts.length : sorts.indexOf(sort);
}

function headlineOfSeveral(events: readonly PanelEvent[], groups: readonly GroupBlock[]): Headline {
  const panel = events.at(-1)?.data.panel ?? null;
  const { name, codes } = panelName(panel);
  const ratings = groups.flatMap(({ title, parts }) => {
    const names = [...new Set(parts.flatMap(({ rows }) => rows).map((row) => row.name))];
    const counted = names.length === 1 ? (names[0] ?? '') : `${names.length} ${nounOf(events)}`;
    return title === 'Now green' || title === 'No longer green' ? [`${counted} ${title.toLowerCase()}`] : [];
  });
  const ofPanel = panelEvents(events).map((event) => panelPhrase(eventWords(event), event));
  const [only] = groups;
  const noPanelEvents = panelEvents(events).length === 0;
  if (only && groups.length === 1 && noPanelEvents && ratings.length === 1) {
    const names = new Set(only.parts.flatMap(({ rows }) => rows).map((row) => row.name));
    const subject = names.size === 1 ? [...names].join('') : `${names.size} ${nounOf(events)}`;
    const verb = names.size === 1 ? 'is' : 'are';
    return { start: `${subject} ${verb} ${only.title.toLowerCase()} on `, name, end: codes };
  }
  const count = `${events.length} changes on `;
  // The panel's own changes stand apart: "CNGB3 no longer green and promoted" would promote CNGB3.
  const said =
    [ratings.join(', '), enumerate(ofPanel.slice(0, 3 - ratings.length))].filter(Boolean).join('; ') ||
    countsOf(groups);
  const end = said === '' ? codes : `${codes}: ${said}`;
  return { start: count, name, end };
}

/** `2 other ratings, 1 added`. */
function countsOf(groups: readonly GroupBlock[]): string {
  const counts = groups.slice(0, 3).map(({ title, count }) => {
    const [one = '', several = ''] = sorts.find((sort) => sort.title === title)?.counted ?? [];
    return `${count} ${count === 1 ? one : several}`;
  });
  return counts.join(', ');
}

function panelPhrase({ row }: EventWords, event: PanelEvent): string {
  if (event.type === 'gene-panel.panel.promoted.v1')
    return `promoted to ${cleanLine(event.data.change.version)}`;
  return row.words;
}

const nounOf = (events: readonly PanelEvent[]): string =>
  events.every(({ data }) => data.entity === null || data.entity.type === 'gene') ? 'genes' : 'entries';
