import { enumerate } from '../events/enumerate.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { type ChangeSort, changeSorts, sortOf } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { eventWords } from './event-words.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, GroupBlock, Notice, Row } from './notice.ts';
import { noticeOfEvent } from './notice-of-event.ts';
import { pageLinks, withoutEntity } from './page-address.ts';
import { panelEvents } from './panel-events.ts';
import { panelHeadline, type SortedEvents } from './panel-headline.ts';
import { panelPlace } from './panel-words.ts';
import { type Phrase, phrase, phraseText } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';
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
  const sorted = sortedEvents(distinct);
  return {
    headline: panelHeadline(distinct, sorted),
    tone: sorted[0]?.sort.tone ?? 'plain',
    blocks: [
      panelPlace(panel, context.namesCatalogue ? newest.data.catalogue : undefined),
      ...panelBlock(distinct),
      { kind: 'byline', text: periodOf(distinct, context) },
      ...sorted.map(groupOf),
    ],
    links: pageLinks(withoutEntity(newest)),
    thread: threadOf(newest.data),
    footer: [
      ...subscriptionLines(context),
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

/** The events about entities by the sort of their change, the most important sort first. */
function sortedEvents(events: readonly PanelEvent[]): readonly SortedEvents[] {
  const about = events.filter(({ type }) => !kindOf(type)?.startsWith('panel.'));
  const bySort = Map.groupBy(about, sortOf);
  return changeSorts.flatMap((sort) => {
    const own = bySort.get(sort);
    return own ? [{ sort, events: own }] : [];
  });
}

const groupOf = ({ sort, events }: SortedEvents): GroupBlock => ({
  kind: 'group',
  title: sort.title,
  tone: sort.tone,
  count: events.length,
  parts: [{ rows: shortList(events, sort) }],
});

/** The most characters of words that a list of many names leaves out. */
const SHORT_WORDS = 12;

/** Names alone, one after the other, where no row says more than the title, or many rows say the same in short. */
function shortList(events: readonly PanelEvent[], { saysAll }: ChangeSort): readonly Row[] {
  const rows = events.map(rowOf);
  const texts = new Set(rows.map(({ words, note }) => phraseText([...words, ...(note ?? [])])));
  const isBrief =
    texts.size === 1 &&
    [...texts].every((text) => text.length <= SHORT_WORDS) &&
    rows.every(({ words }) => words.every(({ kind }) => kind === 'text'));
  const isSaid = saysAll !== undefined && events.every(saysAll);
  if (!isSaid && !(isBrief && rows.length >= 4)) return rows;
  return [{ name: '', words: phrase`${[...new Set(rows.map(({ name }) => name))].join(', ')}` }];
}

function rowOf(event: PanelEvent): Row {
  const { row, quote } = eventWords(event);
  return quote === null ? row : { ...row, note: phrase`“${cleanLine(quote)}”` };
}

/** What happened to the panel itself: `promoted to version 6.0, signed off`. */
function panelBlock(events: readonly PanelEvent[]): readonly Block[] {
  return panelEvents(events).map((event) => {
    const { row, verb } = eventWords(event);
    const who = cleanLine(event.data.actor ?? '');
    return { kind: 'text', text: phrase`${verb}: ${row.words}${who === '' ? '' : `, by ${who}`}` };
  });
}

function periodOf(events: readonly PanelEvent[], { times }: MessageContext): Phrase {
  const at = events.flatMap(({ time }) => time ?? []).sort();
  const [first, last] = [at[0], at.at(-1)];
  if (first === undefined || last === undefined) return [];
  const people = [...new Set(events.map(({ data }) => cleanLine(data.actor ?? '')).filter(Boolean))];
  const by =
    people.length === 0 ? '' : people.length > 3 ? ` by ${people.length} people` : ` by ${enumerate(people)}`;
  const when = times.day(first) === times.day(last) ? times.moment(last) : times.period(first, last);
  return phrase`Changed${by}, ${when}`;
}
