import { type EventPanel, kindOf, type PanelEvent } from '../events/schemas.ts';
import { enumerate } from '../run/text.ts';
import {
  type ChangeList,
  columnsOfEntity,
  groupsOf,
  knownColumns,
  type ListedChange,
  linesOf,
  listFile,
  placeColumns,
} from './change-csv.ts';
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
import {
  backgroundLines,
  beforeFact,
  knownPhrase,
  type MessageContext,
  ratingComment,
  ratingsOf,
  type SignedOffHolding,
  signedOffOfSeveral,
  signedOffWords,
  subscriptionLines,
} from './message-context.ts';
import { type Block, type Fact, type GroupBlock, type Notice, rowExtras } from './notice.ts';
import {
  entityName,
  pageAddress,
  pageLinks,
  panelPhrase,
  panelPlace,
  panelTitle,
  threadOf,
} from './panel-words.ts';
import { type Phrase, phrase, phraseText } from './phrase.ts';
import {
  comparedSignOffs,
  isSignOff,
  signOffBlocks,
  signOffFileLines,
  signOffHeadline,
  signOffSentence,
  withoutCompleted,
} from './sign-off-words.ts';

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
  const signed = signOffFileLines(compared);
  const sorted = bySort(entities, ({ main }) => main);
  const lists = sorted.map(
    ({ sort: { title, tone }, items }): ChangeList => ({
      ...{ title, tone },
      parts: [{ changes: items.map((each) => listedEntity(each, panel, context)) }],
    }),
  );
  return {
    headline:
      headlineOfOne(distinct) ??
      headlineOfSeveral(
        distinct,
        bySort(distinct.filter(isAboutEntity), (event) => event),
      ),
    tone: sorted[0]?.sort.tone ?? 'plain',
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
      ...groupsOf(lists).map((group, place) => shortGroup(group, sorted[place])),
      ...signOffBlocks(compared, context.now),
    ],
    links: only && more.length === 0 ? pageLinks(only.main, only.main.data.entity) : pageLinks(newest, null),
    thread: threadOf(newest.data),
    ...listFile(`${panelTitle(panel)} changes`, [...linesOf(lists), ...signed], {
      always: signed.length > 0,
    }),
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

type BySort<Item> = readonly { readonly sort: ChangeSort; readonly items: readonly Item[] }[];

function bySort<Item>(items: readonly Item[], eventOf: (item: Item) => PanelEvent): BySort<Item> {
  const sorts = Map.groupBy(items, (item) => sortOf(eventOf(item)));
  return changeSorts.flatMap((sort) => {
    const own = sorts.get(sort);
    return own ? [{ sort, items: own }] : [];
  });
}

/** The most characters of words that a list of many names leaves out. */
const SHORT_WORDS = 12;

/** Names alone, one after the other, where no row says more than the title, or many rows say the same in short. */
function shortGroup(group: GroupBlock, sorted: BySort<EntityEvents>[number] | undefined): GroupBlock {
  const rows = group.parts.flatMap((part) => part.rows);
  const { saysAll, isOfUnknownRating } = sorted?.sort ?? {};
  const isSaid = saysAll !== undefined && sorted?.items.every(({ main }) => saysAll(main)) === true;
  if (rows.some(({ more = [] }) => more.length > 0)) return group;
  const texts = new Set(rows.map(({ words }) => phraseText(words)));
  // What happened to each matters where its rating is unknown: one may be rated, another removed.
  const isBrief =
    rows.length >= 4 &&
    !isOfUnknownRating &&
    texts.size === 1 &&
    [...texts].every((text) => text.length <= SHORT_WORDS) &&
    rows.every(({ words }) => words.every(({ kind }) => kind === 'text'));
  if (!isSaid && !isBrief) return group;
  const names = { name: '', words: phrase`${rows.map(({ name }) => name).join(', ')}` };
  return { ...group, parts: [{ rows: [names] }] };
}

/** The line of an entity: its most important change; below it what else changed, the comment, and what is known of it. */
function listedEntity(
  { main, beside }: EntityEvents,
  panel: EventPanel | null,
  context: MessageContext,
): ListedChange {
  const { row, quote } = eventWords(main);
  const background = context.background?.(main.id);
  const quotes = [quote, ...beside.map((event) => eventWords(event).quote)].filter((text) => text !== null);
  const { comment: _comment, ...known } = background ?? {};
  // A comment that is an event of this message is shown as such.
  const isQuoted = background?.comment !== undefined && quotes.includes(ratingComment(background.comment));
  const more = [
    ...(quote === null ? [] : [phrase`“${cleanLine(quote)}”`]),
    ...beside.map(contextPhrase),
    ...backgroundLines(isQuoted ? known : background, context),
  ];
  // The columns of ratings say all of a change of rating.
  const details = main.type === 'gene-panel.entity.classified.v1' ? beside : [main, ...beside];
  return {
    row: { ...row, ...rowExtras(more, pageAddress(main)) },
    cells: {
      ...placeColumns(panel, main.data.catalogue),
      ...columnsOfEntity([main, ...beside], context.times.isoDay),
      ...knownColumns(background),
      details: details.map((event) => phraseText(contextPhrase(event))).join('; '),
    },
  };
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

/** The headline of the most important of several changes of one entity; null for changes of several. */
function headlineOfOne(events: readonly PanelEvent[]): Phrase | null {
  const subjects = new Set(events.map(({ subject, data }) => (data.entity === null ? null : subject)));
  const [first, ...others] = [...events].sort((one, other) => rankOf(one) - rankOf(other));
  if (!first || subjects.size !== 1 || subjects.has(null)) return null;
  const more = `${others.length} more ${others.length === 1 ? 'change' : 'changes'}`;
  return phrase`${eventWords(first).headline}, and ${more}`;
}

function headlineOfSeveral(events: readonly PanelEvent[], sorted: BySort<PanelEvent>): Phrase {
  const panel = panelPhrase(events.at(-1)?.data.panel ?? null);
  const [only, ...others] = sorted;
  const own = panelEvents(events);
  if (only?.sort.verdict !== undefined && others.length === 0 && own.length === 0) {
    const names = namesIn(only.items);
    const verb = only.sort.hasOwnVerb ? '' : names.size === 1 ? 'is ' : 'are ';
    const start = `${subjectOf(names, events)} ${verb}${only.sort.verdict}`;
    const unknown = only.sort.isOfUnknownRating
      ? ` (earlier ${names.size === 1 ? 'rating' : 'ratings'} unknown)`
      : '';
    return phrase`${start} on ${panel}${unknown}`;
  }
  const ratings = sorted.flatMap(({ sort, items: each }) =>
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

const subjectOf = (names: ReadonlySet<string>, events: readonly PanelEvent[]): string =>
  names.size === 1 ? [...names].join('') : `${names.size} ${nounOf(events)}`;

/** `2 other ratings, 1 added`. */
function countsOf(sorted: BySort<PanelEvent>): string {
  const counts = sorted
    .slice(0, 3)
    .map(({ sort: { counted }, items: { length } }) => `${length} ${counted[length === 1 ? 0 : 1]}`);
  return counts.join(', ');
}

const panelChange = (event: PanelEvent): string =>
  event.type === 'gene-panel.panel.promoted.v1'
    ? `promoted to ${cleanLine(event.data.change.version)}`
    : phraseText(eventWords(event).row.words);

const nounOf = (events: readonly PanelEvent[]): string =>
  events.every(({ data }) => data.entity === null || data.entity.type === 'gene') ? 'genes' : 'entries';

/** The message about one event. */
export function noticeOfEvent(event: PanelEvent, context: MessageContext): Notice {
  const { data } = event;
  const words = eventWords(event);
  const background = context.background?.(event.id);
  const quote = words.quote ?? (background?.comment ? ratingComment(background.comment) : null);
  const facts: readonly Fact[] = [...words.facts, ...beforeFact(background ?? {}, context)];
  const known = background ? knownPhrase(background, entityName(data.entity)) : [];
  const signOff = isSignOff(event) ? event : null;
  const compared = comparedSignOffs([event], context);
  const blocks: (Block | false)[] = [
    signOff === null
      ? { kind: 'change', row: words.row }
      : { kind: 'text', text: signOffSentence(signOff, context.now) },
    data.panel !== null && placeOf(event, context, background?.signedOff),
    lateText(event, context),
    { kind: 'byline', text: byline(event, words.verb, context) },
    quote !== null && { kind: 'quote', text: quote },
    known.length > 0 && { kind: 'text', text: known },
    facts.length > 0 && { kind: 'facts', facts },
    ...signOffBlocks(compared, context.now),
  ];
  return {
    headline: (signOff && signOffHeadline(signOff, compared[0]?.comparison, context.now)) ?? words.headline,
    tone: words.tone,
    blocks: blocks.filter((block) => block !== false),
    links: pageLinks(event, data.entity),
    thread: threadOf(data),
    ...listFile(`${panelTitle(data.panel)} sign-off`, signOffFileLines(compared), { always: true }),
    footer: [...subscriptionLines(context), `Event ${event.id}`],
  };
}

/** The panel and its catalogue. A change of the panel itself names the panel already: then the catalogue alone. */
function placeOf(
  event: PanelEvent,
  { namesCatalogue }: MessageContext,
  holding: SignedOffHolding | undefined,
): Block {
  const { catalogue, panel, entity } = event.data;
  const place = panelPlace(panel, {
    ...(namesCatalogue && { catalogue }),
    // A sign-off says itself what it signs off.
    signedOff:
      panel === null || event.type === 'gene-panel.panel.signed-off.v1'
        ? ''
        : signedOffWords({ panel, change: ratingsOf(event), holding }),
  });
  if (entity !== null) return place;
  return { ...place, text: namesCatalogue ? phrase`Catalogue ${cleanLine(catalogue)}` : [] };
}

/** `Rated by Catherine Snowe, 21 November 2026, 09:14 (London)`. */
function byline({ time, data: { actor } }: PanelEvent, verb: string, { times }: MessageContext): Phrase {
  const name = cleanLine(actor ?? '');
  const who = name === '' ? verb : `${verb} by ${name}`;
  return time === undefined ? phrase`${who}` : phrase`${who}, ${times.moment(time)}`;
}

/** Why an event follows later ones. A correction says so itself. */
function lateText(
  { time, data: { late, corrects, change } }: PanelEvent,
  context: MessageContext,
): Block | false {
  if (!late || corrects !== undefined || time === undefined) return false;
  const { times, now } = context;
  const via = 'via' in change ? change.via : 'activity';
  if (via === 'listing' || via === 'snapshot') {
    const compared = via === 'listing' ? 'listings' : 'versions';
    const text = phrase`Found on ${times.shortDay(now)} by comparing ${compared}, after later changes were published: no row of the log states it.`;
    return { kind: 'text', text };
  }
  const seen = times.day(time) === times.day(now) ? 'seen later that day' : 'seen today';
  const text = phrase`Made on ${times.shortDay(time)}, ${seen}: the catalogue showed it late, as it does with panels that were not public.`;
  return { kind: 'text', text };
}
