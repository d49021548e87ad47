import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventPanel } from '../../lambdas/events/schemas.ts';
import { panelAddress } from '../../lambdas/questions/addresses.ts';
import { millisecondsOf } from '../../lambdas/run/instant.ts';
import { placeIn, placeText } from '../../lambdas/store/history/history.ts';
import { howMuchWasRead, nothingFoundWords, readWords } from '../../lambdas/store/history/read-part.ts';
import { indexNextWords } from '../../lambdas/store/history/sqlite-event-index.ts';
import type { EventPage, PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import { namesFoundToo } from '../../lambdas/store/history/unknown-names.ts';
import { cleanLine, cutAtWord } from '../../lambdas/words/clean-text.ts';
import { actionsOf, stepsOf } from '../../lambdas/words/curator-action.ts';
import { eventWords } from '../../lambdas/words/event-words.ts';
import { panelName } from '../../lambdas/words/panel-words.ts';
import { codesView, type Html, html, type LocalTimes, phraseView } from '../html.ts';
import { unreadView } from '../layout.ts';
import { isAllUnknown, unknownNames, unknownNamesView } from '../names.ts';
import { newestTime, type PageContent, type RouteContext } from '../route-context.ts';
import {
  chipsView,
  filterForm,
  highlightsView,
  listAddress,
  listParameters,
  openAddress,
  periods,
  queryOf,
  titleOf,
  type View,
  whole,
} from '../view.ts';

const PAGE_SIZE = 100;
/** Events that one page looks at for those that match: more would keep polls waiting. */
const EXAMINED = 25_000;
/** Changes of a printed list: 100 sheets. */
const MOST_PRINTED = 3_000;
const MOST_EXAMINED = 200_000;

/** Reads a page of a list; its search index is brought up to date so that polls and other requests go on meanwhile. */
async function readPage(
  view: View,
  bounds: { readonly size: number; readonly examined: number },
  { file, pages, times, clock }: RouteContext,
): Promise<EventPage> {
  if (view.words !== '') while (indexNextWords(file) > 0) await nextTurn();
  const after = view.before === '' ? null : placeIn(view.before);
  return pages.page(queryOf(view, times, clock.now()), { ...bounds, ...(after && { after }) });
}

type ChangesPage = Awaited<ReturnType<typeof readChanges>>;

/** What the view of changes shows. @param open the open event; null where none is, or where the history does not have it */
async function readChanges(view: View, open: Html | null, context: RouteContext) {
  const { pages, times, clock } = context;
  const query = queryOf(view, times, clock.now());
  const page = await readPage(view, { size: PAGE_SIZE, examined: EXAMINED }, context);
  const names = await context.names();
  return {
    ...{ view, page, open, names },
    newest: newestTime(pages),
    unknown: await unknownNames(context, view.texts, names),
    counts: context.counter.counts(query),
    /** The number of the event that was appended last when the page was made. */
    lastAppended: pages.lastAppended(),
    /** What the names of the filter find besides what a reader expects, in sentences. */
    foundToo: namesFoundToo(query.filter ?? {}, pages.names()),
    parts: await context.readParts(query),
    severalCatalogues: (await context.catalogues()).length > 1,
    ...context.moment(),
  };
}

/** The stream of changes with its filters, and one event beside it. */
export async function answerChanges(view: View, open: Html | null, context: RouteContext): Promise<Response> {
  const content = await readChanges(view, open, context);
  return context.answer(changesView(content), isAllUnknown(view.texts, content.unknown) ? 404 : 200);
}

function changesView(content: ChangesPage): PageContent {
  const { view, open, lastAppended } = content;
  const live = listParameters(view);
  live.set('after', String(lastAppended));
  const beside =
    view.open === ''
      ? html``
      : (open ??
        html`<article><p class="close"><a href="${openAddress(view, '')}">Close <span aria-hidden="true">×</span></a></p><h2 id="event-title" tabindex="-1">No such event</h2><p>The history has no event <code>${view.open.slice(0, 80)}</code>. It may be of another history, or the address was cut short.</p></article>`);
  return {
    title: titleOf(view, content.names),
    current: 'changes',
    words: view.words,
    hidden: [...listParameters(view, { q: [] })],
    live: `/live?${live}`,
    bodyClass: view.open === '' ? 'changes' : 'changes with-event',
    skips: [
      ['#changes', 'Skip to the content'],
      ['#stream', 'Skip to the counts'],
    ],
    main: html`<h1 class="unseen">Changes of gene panels</h1>
<div class="columns">
<div class="side">${filterForm(view, content.counts)}</div>
<div class="stream" id="stream" tabindex="-1">
${paperHeading(content)}
${highlightsView(view, content.counts)}
${chipsView(view, content.names)}
${streamPart(content)}
</div>
<aside class="event" id="event" aria-label="Open event">${beside}</aside>
</div>`,
  };
}

function paperHeading({ view, names, page: { events, next }, times, now }: ChangesPage): Html {
  const isAll = next === null && view.before === '';
  const title = titleOf(view, names);
  return html`<div class="paper-only"><p class="paper-title">${title === 'Changes' ? 'Changes of gene panels' : `Changes of gene panels: ${title}`}</p>
<p>As known on ${times.moment(now)}.${isAll ? '' : ` Only ${events.length} of the changes are on this paper: the link “Print” of the page lists all.`}</p></div>`;
}

function streamPart(content: ChangesPage): Html {
  const { view, page, newest, severalCatalogues, unknown, foundToo, parts, times, now } = content;
  const { events, next, cutShort } = page;
  const first = listAddress(view);
  const csv = listAddress(view, {}, '/events.csv');
  const notices = unknownNamesView(unknown, view.texts, (change) => listAddress(view, change));
  // Where no name of a filter exists, the view says nothing of what was asked.
  if (isAllUnknown(view.texts, unknown)) return html`<div id="changes" tabindex="-1">${notices}</div>`;
  const heading = html`${notices}<div class="about"><p id="found">${foundWords(content)}</p><p class="tools"><button type="button" class="copy" hidden>Copy address</button> <a href="${csv}" download>CSV</a> <a href="${listAddress(view, {}, '/print')}">Print</a> <span id="copied" role="status"></span></p></div>
${foundToo.map((sentence) => html`<p class="fine">${sentence}</p>`)}
${unreadView(parts, times)}
<p id="new-changes" role="status" data-first="${first}"></p>`;
  if (events.length === 0 && view.before === '') {
    return html`${heading}<div id="changes" tabindex="-1">${emptyView(view, { newest, cutShort, parts, times })}${cutShort && next ? olderView(view, page, times) : ''}</div>`;
  }
  return html`${heading}
${view.before === '' ? '' : html`<p class="pager"><a href="${first}">Newest changes</a></p>`}
<div id="changes" tabindex="-1">${streamView(events, { view, times, now, severalCatalogues })}</div>
${next === null ? endView(view) : olderView(view, page, times)}`;
}

function foundWords({ view, counts, parts, times }: ChangesPage): Html {
  const { total, limitedTo, oldest } = counts;
  const period = periods.find(([value]) => value === view.since)?.[1] ?? `Since ${view.since}`;
  const until = view.until === '' ? '' : `, before ${times.shortDay(view.until)}`;
  const most =
    limitedTo === null
      ? ''
      : ` among the newest ${whole(limitedTo)}${oldest === null ? '' : ` (back to ${times.day(oldest)})`}`;
  const read = parts.length === 0 || howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  const span = html`<span class="fine">${period}${until} · times of ${times.zone}</span>`;
  if (total === 0 && howMuchWasRead(parts) === 'nothing') return html`Nothing was read ${span}`;
  return html`<b>${whole(total)}</b> ${total === 1 ? 'change' : 'changes'}${most}${read} ${span}`;
}

function olderView(view: View, { next, cutShort }: EventPage, times: LocalTimes): Html {
  if (next === null) return html``;
  const address = listAddress(view, { before: [placeText(next)] });
  const day = times.day(next.at);
  return cutShort
    ? html`<p class="pager"><span>Searched back to ${day}.</span> <a rel="next" href="${address}">Search further back</a></p>`
    : html`<p class="pager"><a rel="next" href="${address}">Older changes</a></p>`;
}

function endView(view: View): Html {
  if (view.since === 'all') return html`<p class="pager">This is the beginning of the history.</p>`;
  return html`<p class="pager"><span>End of the period.</span> <a href="${listAddress(view, { since: ['all'], before: view.texts.before ?? [] })}">Show all time</a></p>`;
}

interface Empty extends Pick<ChangesPage, 'newest' | 'parts' | 'times'> {
  readonly cutShort: boolean;
}

function emptyView(view: View, { newest, cutShort, parts, times }: Empty): Html {
  if (newest === null) {
    return html`<div class="notice"><h2>Nothing is kept yet</h2><p>The first poll bookmarks the newest row of the log. Changes appear here as curators make them. To see earlier ones, start with <code>--from</code> and a day.</p></div>`;
  }
  if (cutShort)
    return html`<div class="notice"><h2>Nothing matches so far</h2><p>Many changes were made in this period, and none of those searched yet matches.</p></div>`;
  const filtered = view.words !== '' || Object.keys(view.values).length > 0 || view.catalogue !== '';
  const wider =
    view.since === 'all' && view.until === ''
      ? ''
      : html`<a class="button" href="${listAddress(view, { since: ['all'], until: [] })}">Search all time</a> `;
  const cleared = filtered ? html`<a href="/">Remove all filters</a>` : '';
  const nothing = filtered ? 'No change matches these filters' : 'No change was made';
  return html`<div class="notice"><h2>${howMuchWasRead(parts) === 'nothing' ? 'Nothing was read' : 'Nothing matches'}</h2><p>${nothingFoundWords(nothing, parts)} The newest change in the history is of ${times.moment(newest)}.</p><p class="links">${wider}${cleared}</p></div>`;
}

/** A list of changes to print. */
export async function answerPrint(view: View, context: RouteContext): Promise<Response> {
  const { times, now } = context.moment();
  const title = titleOf(view, await context.names());
  const bounds = { size: MOST_PRINTED, examined: MOST_EXAMINED };
  const { events, next } = await readPage({ ...view, before: '' }, bounds, context);
  const severalCatalogues = (await context.catalogues()).length > 1;
  const parts = await context.readParts(queryOf(view, times, now));
  const period =
    periods.find(([value]) => value === view.since)?.[1] ?? `Since ${times.shortDay(view.since)}`;
  const until = view.until === '' ? '' : `, before ${times.shortDay(view.until)}`;
  const read = howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  const back = openAddress(view, '');
  const main = html`<div class="page paper-page">
<h1>${title}</h1>
<p class="lead">${period}${until} · as known on ${times.moment(now)} · times of ${times.zone}</p>
<p class="screen-only"><a href="${back}">Back to the changes</a> <button type="button" class="print" hidden>Print</button></p>
${unreadView(parts, times)}
${
  events.length === 0
    ? html`<p>${nothingFoundWords('No change matches', parts)}</p>`
    : html`<p><b>${events.length.toLocaleString('en-GB')}</b> changes${read}.${next === null ? '' : html` <b>There are older ones that are not on this list.</b> Choose a shorter period, or save the CSV.`}</p>
${streamView(events, { view: { ...view, open: '' }, times, now, severalCatalogues })}`
}
</div>`;
  return context.answer({ title, current: 'changes', main });
}

interface PanelGroup {
  readonly key: string;
  readonly events: PlacedEvent[];
}

interface DayGroup {
  readonly day: string;
  readonly panels: PanelGroup[];
}

/** Events, newest first, by day and within a day by panel; a panel has the place of its newest event. */
function groupsOf(events: readonly PlacedEvent[], times: LocalTimes): readonly DayGroup[] {
  const days: DayGroup[] = [];
  for (const placed of events) {
    const day = times.iso(placed.at);
    let group = days.at(-1);
    if (group?.day !== day) {
      group = { day, panels: [] };
      days.push(group);
    }
    const { catalogue, panel } = placed.event.data;
    const key = JSON.stringify([catalogue, panel?.id ?? panel?.name ?? null]);
    const known = group.panels.find((each) => each.key === key);
    if (known) known.events.push(placed);
    else group.panels.push({ key, events: [placed] });
  }
  return days;
}

interface StreamContext {
  readonly view: View;
  readonly times: LocalTimes;
  readonly now: number;
  readonly severalCatalogues: boolean;
}

/** The stream of changes: a heading for each day, below it one for each panel, and its events. */
function streamView(events: readonly PlacedEvent[], context: StreamContext): Html {
  return html`${groupsOf(events, context.times).map((group) => dayView(group, context))}`;
}

function dayView({ day, panels }: DayGroup, context: StreamContext): Html {
  const { times, now } = context;
  const today = times.iso(now);
  const yesterday = times.iso(times.startOf(today, -1));
  const near = day === today ? 'Today' : day === yesterday ? 'Yesterday' : null;
  const long = times.longDay(day);
  return html`<section class="day" aria-labelledby="day-${day}">
<h2 id="day-${day}">${near === null ? long : html`${near} <span class="date">${long}</span>`}</h2>
${panels.map((group) => panelView(group, context))}
</section>
`;
}

function panelView({ events }: PanelGroup, context: StreamContext): Html {
  const [newest] = events;
  if (!newest) return html``;
  const { panel, catalogue } = newest.event.data;
  const { name, codes } = panelName(panel);
  const versions = versionsOf(events);
  const facts = [
    context.severalCatalogues && catalogue,
    versions,
    panel?.signedOff === true && signedOffWords(panel),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  const title =
    typeof panel?.id === 'number' ? html`<a href="${panelAddress(catalogue, panel.id)}">${name}</a>` : name;
  return html`<section class="panel">
<h3>${panel === null ? 'Without a panel' : title}${codesView(codes)} <span class="facts">${facts.join(' · ')}</span></h3>
<ol>
${actionsOf(events, eventOf).map((action) => actionRow(action, context))}</ol>
</section>
`;
}

/** Which version is signed off, where that is known: it may be another one than that of the change. */
function signedOffWords({ signedOffVersion }: EventPanel): string {
  return signedOffVersion == null
    ? 'has a signed-off version'
    : `signed-off version ${cleanLine(signedOffVersion)}`;
}

/** `4.12`, or `4.10 → 4.12` where the events have several. */
function versionsOf(events: readonly PlacedEvent[]): string {
  const versions = events.flatMap(({ event }) => cleanLine(event.data.panel?.version ?? '') || []);
  const [last, first] = [versions[0] ?? '', versions.at(-1) ?? ''];
  return last === first ? last && `version ${last}` : `version ${first} → ${last}`;
}

const SNIPPET = 180;

const eventOf = ({ event }: PlacedEvent) => event;

/** One action of a curator: each of its events is a link, and the first one covers the whole row. */
function actionRow(action: readonly PlacedEvent[], { view, times }: StreamContext): Html {
  const steps = stepsOf(action, eventOf);
  const [first] = steps;
  if (!first) return html``;
  const { entity, actor } = first.item.event.data;
  const words = steps.map(({ item }) => eventWords(item.event));
  const tone = words.find((each) => each.tone !== 'plain')?.tone ?? 'plain';
  const quotes = words.flatMap(({ quote }) => quote ?? []);
  const time = millisecondsOf(first.item.at);
  const isOpen = action.some(({ id }) => id === view.open);
  return html`<li class="event ${tone}${isOpen ? ' is-open' : ''}">
<time datetime="${new Date(time).toISOString()}">${times.clock(time)}</time>
<p>${steps.map(
    ({ item, row, separator }, index) =>
      html`${separator}<a class="open${index > 0 ? ' also' : ''}" id="e-${item.id}" href="${openAddress(view, item.id)}#event"${view.open === item.id ? html` aria-current="true"` : ''}>${index > 0 || entity === null ? '' : html`<b>${row.name}</b> `}<span class="words">${phraseView(row.words)}</span></a>`,
  )}${steps.some(({ item }) => item.event.data.late) ? html` <span class="late">late</span>` : ''}
${quotes.map((quote) => html`<q>${cutAtWord(cleanLine(quote), SNIPPET)}</q>`)}</p>
<span class="who">${cleanLine(actor ?? '')}</span>
</li>
`;
}
