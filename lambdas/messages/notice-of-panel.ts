import { enumerate } from '../events/enumerate.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { changeSorts, sortOf } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { eventWords } from './event-words.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, GroupBlock, Notice, Row } from './notice.ts';
import { noticeOfEvent } from './notice-of-event.ts';
import { pageAddress } from './page-address.ts';
import { panelEvents } from './panel-events.ts';
import { panelHeadline } from './panel-headline.ts';
import { panelPlace } from './panel-words.ts';
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
    headline: panelHeadline(distinct, groups),
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

/** Events without additions of entities whose first rating is an event too: its row shows both. */
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

function groupsOf(events: readonly PanelEvent[]): readonly GroupBlock[] {
  const about = events.filter(({ type }) => !kindOf(type)?.startsWith('panel.'));
  const bySort = Map.groupBy(about, sortOf);
  return changeSorts.flatMap((sort) => {
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
