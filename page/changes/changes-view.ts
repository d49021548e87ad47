import { placeText } from '../../lambdas/store/history/place.ts';
import { howMuchWasRead, type ReadPart } from '../../lambdas/store/history/read-part.ts';
import { nothingFoundWords, readWords } from '../../lambdas/store/history/read-part-words.ts';
import type { EventPage } from '../../lambdas/store/history/sqlite-pages.ts';
import { type Html, html } from '../frame/html.ts';
import type { PageContent } from '../frame/layout.ts';
import type { LocalTimes } from '../frame/local-times.ts';
import { unreadView } from '../frame/unread-view.ts';
import { isNamedFilter, type PageNames } from '../names/page-names.ts';
import { isAllUnknown, type UnknownName, unknownNamesView } from '../names/unknown-names.ts';
import { addressOf, filterNames, parametersOf, periods, type View, withValues } from '../view.ts';
import type { Counts } from './counts.ts';
import { chipsView, filterForm, highlightsView, wordOf } from './filters.ts';
import { streamView } from './stream.ts';

interface ChangesPage {
  readonly view: View;
  readonly page: EventPage;
  readonly counts: Counts;
  /** The open event; null where none is, or where the history does not have it. */
  readonly open: Html | null;
  /** The number of the event that was appended last when the page was made. */
  readonly lastAppended: number;
  /** The time of the newest event in the history; null for an empty one. */
  readonly newest: string | null;
  readonly severalCatalogues: boolean;
  readonly names: PageNames;
  /** Names in the filter that nothing has. */
  readonly unknown: readonly UnknownName[];
  /** What the names of the filter find besides what a reader expects, in sentences. */
  readonly foundToo: readonly string[];
  /** What of the period was read. */
  readonly parts: readonly ReadPart[];
  readonly times: LocalTimes;
  readonly now: number;
}

/** The stream of changes with its filters, and one event beside it. */
export function changesView(content: ChangesPage): PageContent {
  const { view, open, lastAppended } = content;
  const { open: _open, show: _show, before: _before, ...shared } = view;
  const live = parametersOf({ ...shared, open: '', show: '', before: '' });
  live.set('after', String(lastAppended));
  const beside =
    view.open === ''
      ? html``
      : (open ??
        html`<article><p class="close"><a href="${addressOf(view, { open: '', show: '' })}">Close <span aria-hidden="true">×</span></a></p><h2 id="event-title" tabindex="-1">No such event</h2><p>The history has no event <code>${view.open.slice(0, 80)}</code>. It may be of another history, or the address was cut short.</p></article>`);
  return {
    title: titleOf(view, content.names),
    current: 'changes',
    words: view.words,
    hidden: [...parametersOf(view, { words: '', before: '', open: '', show: '' })],
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

/** What a browser prints above the view where a person prints it without the link for that. */
function paperHeading({ view, names, page: { events, next }, times, now }: ChangesPage): Html {
  const isAll = next === null && view.before === '';
  const title = titleOf(view, names);
  return html`<div class="paper-only"><p class="paper-title">${title === 'Changes' ? 'Changes of gene panels' : `Changes of gene panels: ${title}`}</p>
<p>As known on ${times.moment(now)}.${isAll ? '' : ` Only ${events.length} of the changes are on this paper: the link “Print” of the page lists all.`}</p></div>`;
}

/** What a view is limited to, in words. */
export function titleOf({ values, words }: View, names: PageNames): string {
  const named = filterNames.flatMap((name) =>
    (values[name] ?? []).map((value) =>
      isNamedFilter(name) ? names.labelOf(name, value) : wordOf(name, value),
    ),
  );
  const parts = [words && `“${words}”`, ...named].filter(Boolean);
  return parts.length === 0 ? 'Changes' : parts.join(', ').slice(0, 120);
}

const whole = (count: number): string => count.toLocaleString('en-GB');

function streamPart(content: ChangesPage): Html {
  const { view, page, newest, severalCatalogues, unknown, foundToo, parts, times, now } = content;
  const { events, next, cutShort } = page;
  const first = addressOf(view, { before: '', open: '', show: '' });
  const csv = addressOf(view, { before: '', open: '', show: '' }, '/events.csv');
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    if (filter === 'catalogue') return addressOf(view, { catalogue: chosen, before: '', open: '', show: '' });
    const rest = (view.values[filter] ?? []).filter((each) => each !== value);
    return addressOf(view, {
      values: withValues(view, { [filter]: [...rest, chosen] }),
      before: '',
      open: '',
      show: '',
    });
  });
  // Where no name of a filter exists, the view says nothing of what was asked.
  if (isAllUnknown(view, unknown)) return html`<div id="changes" tabindex="-1">${notices}</div>`;
  const heading = html`${notices}<div class="about"><p id="found">${foundWords(content)}</p><p class="tools"><button type="button" class="copy" hidden>Copy address</button> <a href="${csv}" download>CSV</a> <a href="${addressOf(view, { before: '', open: '', show: '' }, '/print')}">Print</a> <span id="copied" role="status"></span></p></div>
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
      : ` among the newest ${whole(limitedTo)}${oldest === null ? '' : ` (back to ${times.date(oldest)})`}`;
  const read = parts.length === 0 || howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  const span = html`<span class="fine">${period}${until} · times of ${times.zone}</span>`;
  if (total === 0 && howMuchWasRead(parts) === 'nothing') return html`Nothing was read ${span}`;
  return html`<b>${whole(total)}</b> ${total === 1 ? 'change' : 'changes'}${most}${read} ${span}`;
}

function olderView(view: View, { next, cutShort }: EventPage, times: LocalTimes): Html {
  if (next === null) return html``;
  const address = addressOf(view, { before: placeText(next), open: '', show: '' });
  const day = times.date(next.at);
  return cutShort
    ? html`<p class="pager"><span>Searched back to ${day}.</span> <a rel="next" href="${address}">Search further back</a></p>`
    : html`<p class="pager"><a rel="next" href="${address}">Older changes</a></p>`;
}

function endView(view: View): Html {
  if (view.since === 'all') return html`<p class="pager">This is the beginning of the history.</p>`;
  return html`<p class="pager"><span>End of the period.</span> <a href="${addressOf(view, { since: 'all', open: '', show: '' })}">Show all time</a></p>`;
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
      : html`<a class="button" href="${addressOf(view, { since: 'all', until: '', before: '', open: '', show: '' })}">Search all time</a> `;
  const cleared = filtered ? html`<a href="/">Remove all filters</a>` : '';
  const nothing = filtered ? 'No change matches these filters' : 'No change was made';
  return html`<div class="notice"><h2>${howMuchWasRead(parts) === 'nothing' ? 'Nothing was read' : 'Nothing matches'}</h2><p>${nothingFoundWords(nothing, parts)} The newest change in the history is of ${times.moment(newest)}.</p><p class="links">${wider}${cleared}</p></div>`;
}
