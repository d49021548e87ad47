import { enumerate } from '../events/enumerate.ts';
import { type EventPanel, kindOf, type PanelEvent } from '../events/schemas.ts';
import { backgroundLines, ratingComment } from './background-lines.ts';
import { eventColumns, knownColumns, listFile, placeColumns } from './change-csv.ts';
import {
  type ChangeSort,
  changeSorts,
  type EntityEvents,
  entityEvents,
  panelEvents,
  rankOf,
  sortOf,
} from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { contextPhrase, eventWords } from './event-words.ts';
import { type MessageContext, subscriptionLines } from './message-context.ts';
import type { Block, GroupBlock, Notice, Row } from './notice.ts';
import { noticeOfEvent } from './notice-of-event.ts';
import {
  entityName,
  pageAddress,
  pageLinks,
  panelPhrase,
  panelPlace,
  panelTitle,
  threadOf,
  withoutEntity,
} from './panel-words.ts';
import { type Phrase, phrase, phraseText } from './phrase.ts';
import {
  type ComparedSignOff,
  comparedSignOffs,
  isSignOff,
  signOffBlocks,
  signOffFileLines,
  signOffSentence,
  withoutCompleted,
} from './sign-off-words.ts';
import { signedOffOfSeveral } from './signed-off-words.ts';

/** The message about several events of one panel, oldest first; about one event, as `noticeOfEvent` gives it. */
export function noticeOfPanel(
  events: readonly [PanelEvent, ...PanelEvent[]],
  context: MessageContext,
): Notice {
  const distinct = withoutRepeats(withoutCompleted(events));
  const [first, ...others] = distinct;
  if (first && others.length === 0) return noticeOfEvent(first, context);
  const newest = events.at(-1) ?? events[0];
  const { panel } = newest.data;
  const entities = entityEvents(distinct.filter(isAboutEntity));
  const mains = entities.map(({ main }) => main);
  const held = mains.map((event) => ({
    event,
    name: entityName(event.data.entity),
    holding: context.background?.(event.id)?.signedOff,
  }));
  const [only, ...more] = entities;
  const compared = comparedSignOffs(distinct, context);
  return {
    headline: panelHeadline(distinct, sortedEvents(distinct)),
    tone: bySort(entities)[0]?.sort.tone ?? 'plain',
    blocks: [
      panelPlace(panel, {
        ...(context.namesCatalogue && { catalogue: newest.data.catalogue }),
        // A sign-off says itself what it signs off.
        signedOff:
          panel === null || (held.length === 0 && distinct.some(isSignOff))
            ? ''
            : signedOffOfSeveral(held, panel),
      }),
      ...panelBlock(distinct, context),
      { kind: 'byline', text: periodOf(distinct, context) },
      ...bySort(entities).map((each) => groupOf(each, context)),
      ...signOffBlocks(compared, context.now),
    ],
    links: pageLinks(only && more.length === 0 ? only.main : withoutEntity(newest)),
    thread: threadOf(newest.data),
    ...fileOf(panel, { entities, compared }, context),
    footer: [
      ...subscriptionLines(context),
      `${events.length} events, the first ${events[0].id}, the last ${newest.id}`,
    ],
  };
}

const isAboutEntity = ({ type }: PanelEvent): boolean => !kindOf(type)?.startsWith('panel.');

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
  const sorts = Map.groupBy(events.filter(isAboutEntity), sortOf);
  return changeSorts.flatMap((sort) => {
    const own = sorts.get(sort);
    return own ? [{ sort, events: own }] : [];
  });
}

interface SortedEntities {
  readonly sort: ChangeSort;
  readonly entities: readonly EntityEvents[];
}

/** The entities by the sort of their most important change. */
function bySort(entities: readonly EntityEvents[]): readonly SortedEntities[] {
  const sorts = Map.groupBy(entities, ({ main }) => sortOf(main));
  return changeSorts.flatMap((sort) => {
    const own = sorts.get(sort);
    return own ? [{ sort, entities: own }] : [];
  });
}

const groupOf = ({ sort, entities }: SortedEntities, context: MessageContext): GroupBlock => ({
  kind: 'group',
  title: sort.title,
  tone: sort.tone,
  count: entities.length,
  parts: [{ rows: shortList(entities, sort, context) }],
});

/** The most characters of words that a list of many names leaves out. */
const SHORT_WORDS = 12;

/** Names alone, one after the other, where no row says more than the title, or many rows say the same in short. */
function shortList(
  entities: readonly EntityEvents[],
  { saysAll, isOfUnknownRating }: ChangeSort,
  context: MessageContext,
): readonly Row[] {
  const rows = entities.map((each) => rowOf(each, context));
  if (rows.some(({ more = [] }) => more.length > 0)) return rows;
  const texts = new Set(rows.map(({ words }) => phraseText(words)));
  // What happened to each matters where its rating is unknown: one may be rated, another removed.
  const isBrief =
    !isOfUnknownRating &&
    texts.size === 1 &&
    [...texts].every((text) => text.length <= SHORT_WORDS) &&
    rows.every(({ words }) => words.every(({ kind }) => kind === 'text'));
  const isSaid = saysAll !== undefined && entities.every(({ main }) => saysAll(main));
  if (!isSaid && !(isBrief && rows.length >= 4)) return rows;
  return [{ name: '', words: phrase`${rows.map(({ name }) => name).join(', ')}` }];
}

/** The row of an entity: its most important change; below it what else changed, the comment, and what is known of it. */
function rowOf({ main, beside }: EntityEvents, context: MessageContext): Row {
  const { row, quote } = eventWords(main);
  const background = context.background?.(main.id);
  const quotes = [quote, ...beside.map((event) => eventWords(event).quote)].filter((text) => text !== null);
  const { comment: _comment, ...known } = background ?? {};
  // A comment that is an event of this message is shown as such.
  const isQuoted = background?.comment !== undefined && quotes.includes(ratingComment(background.comment));
  const address = pageAddress(main);
  const more = [
    ...(quote === null ? [] : [phrase`“${cleanLine(quote)}”`]),
    ...beside.map(contextPhrase),
    ...backgroundLines(isQuoted ? known : background, context),
  ];
  return { ...row, ...(more.length > 0 && { more }), ...(address !== null && { address }) };
}

/** Whether the columns of ratings say all of an event. */
const statesRating = ({ type }: PanelEvent): boolean => type === 'gene-panel.entity.classified.v1';

/** The whole list as a file, where it is long. */
function fileOf(
  panel: EventPanel | null,
  {
    entities,
    compared,
  }: {
    readonly entities: readonly EntityEvents[];
    readonly compared: readonly ComparedSignOff[];
  },
  { times, background }: MessageContext,
): Pick<Notice, 'file'> {
  const signed = signOffFileLines(compared);
  const lines = bySort(entities).flatMap(({ sort, entities: own }) =>
    own.map(({ main, beside }) => ({
      what: sort.title.toLowerCase(),
      ...placeColumns(panel, main.data.catalogue),
      ...eventColumns([main, ...beside], times.isoDay),
      ...knownColumns(background?.(main.id)),
      details: [...(statesRating(main) ? [] : [main]), ...beside]
        .map((event) => phraseText(contextPhrase(event)))
        .join('; '),
    })),
  );
  return listFile(`${panelTitle(panel)} changes`, [...lines, ...signed], { always: signed.length > 0 });
}

/** What happened to the panel itself: `promoted to version 6.0, signed off`. */
function panelBlock(events: readonly PanelEvent[], { now }: MessageContext): readonly Block[] {
  return panelEvents(events).map((event) => {
    if (isSignOff(event)) return { kind: 'text', text: signOffSentence(event, now) };
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

/** The events of one sort, oldest first. */
interface SortedEvents {
  readonly sort: ChangeSort;
  readonly events: readonly PanelEvent[];
}

/** The headline of a message about several events of one panel, which it shows by sort. */
function panelHeadline(events: readonly PanelEvent[], sorted: readonly SortedEvents[]): Phrase {
  return headlineOfOne(events) ?? headlineOfSeveral(events, sorted);
}

/** The headline of the most important of several changes of one entity; null for changes of several. */
function headlineOfOne(events: readonly PanelEvent[]): Phrase | null {
  const subjects = new Set(events.map(({ subject, data }) => (data.entity === null ? null : subject)));
  const [first, ...others] = [...events].sort((one, other) => rankOf(one) - rankOf(other));
  if (!first || subjects.size !== 1 || subjects.has(null)) return null;
  const more = `${others.length} more ${others.length === 1 ? 'change' : 'changes'}`;
  return phrase`${eventWords(first).headline}, and ${more}`;
}

function headlineOfSeveral(events: readonly PanelEvent[], sorted: readonly SortedEvents[]): Phrase {
  const panel = panelPhrase(events.at(-1)?.data.panel ?? null);
  const [only, ...others] = sorted;
  const own = panelEvents(events);
  if (only?.sort.verdict !== undefined && others.length === 0 && own.length === 0) {
    const names = namesIn(only.events);
    const verb = only.sort.hasOwnVerb ? '' : names.size === 1 ? 'is ' : 'are ';
    const start = `${subjectOf(names, events)} ${verb}${only.sort.verdict}`;
    const unknown = only.sort.isOfUnknownRating
      ? ` (earlier ${names.size === 1 ? 'rating' : 'ratings'} unknown)`
      : '';
    return phrase`${start} on ${panel}${unknown}`;
  }
  const ratings = sorted.flatMap(({ sort, events: each }) =>
    sort.verdict === undefined
      ? []
      : [
          `${subjectOf(namesIn(each), events)} ${sort.verdict}${sort.isOfUnknownRating ? ' (earlier rating unknown)' : ''}`,
        ],
  );
  const ofPanel = own.map(panelChange);
  // A semicolon separates the panel's own changes: "CNGB3 no longer green and promoted" would promote CNGB3.
  const changes =
    [ratings.join(', '), enumerate(ofPanel.slice(0, 3 - ratings.length))].filter(Boolean).join('; ') ||
    countsOf(sorted);
  return phrase`${String(events.length)} changes on ${panel}${changes === '' ? '' : `: ${changes}`}`;
}

const namesIn = (events: readonly PanelEvent[]): ReadonlySet<string> =>
  new Set(events.map((event) => eventWords(event).row.name));

/** The one name, or the number of several. */
const subjectOf = (names: ReadonlySet<string>, events: readonly PanelEvent[]): string =>
  names.size === 1 ? [...names].join('') : `${names.size} ${nounOf(events)}`;

/** `2 other ratings, 1 added`. */
function countsOf(sorted: readonly SortedEvents[]): string {
  const counts = sorted.slice(0, 3).map(({ sort: { counted }, events: { length } }) => {
    const [one, several] = counted;
    return `${length} ${length === 1 ? one : several}`;
  });
  return counts.join(', ');
}

const panelChange = (event: PanelEvent): string =>
  event.type === 'gene-panel.panel.promoted.v1'
    ? `promoted to ${cleanLine(event.data.change.version)}`
    : phraseText(eventWords(event).row.words);

const nounOf = (events: readonly PanelEvent[]): string =>
  events.every(({ data }) => data.entity === null || data.entity.type === 'gene') ? 'genes' : 'entries';
