import type { EventPage } from '../../lambdas/history/sqlite-pages.ts';
import { type Html, html } from '../frame/html.ts';
import type { PageContent } from '../frame/layout.ts';
import type { LocalTimes } from '../frame/local-times.ts';
import { addressOf, parametersOf, periods, placeText, type View } from '../view.ts';
import type { Counts } from './counts.ts';
import { chipsView, filterForm, highlightsView } from './filters.ts';
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
    title: titleOf(view),
    current: 'changes',
    words: view.words,
    hidden: [...parametersOf(view, { words: '', before: '', open: '', show: '' })],
    live: `/live?${live}`,
    bodyClass: view.open === '' ? 'changes' : 'changes with-event',
    main: html`<h1 class="unseen">Changes of gene panels</h1>
<div class="columns">
<div class="side">${filterForm(view, content.counts)}</div>
<div class="stream" id="stream">
${highlightsView(view, content.counts)}
${chipsView(view, content.counts)}
${streamPart(content)}
</div>
<aside class="event" id="event" aria-label="Open event">${beside}</aside>
</div>`,
  };
}

function titleOf({ values, words }: View): string {
  const parts = [words && `“${words}”`, ...Object.values(values).flat()].filter(Boolean);
  return parts.length === 0 ? 'Changes' : parts.join(', ').slice(0, 120);
}

const whole = (count: number): string => count.toLocaleString('en-GB');

function streamPart({ view, page, counts, newest, severalCatalogues, times, now }: ChangesPage): Html {
  const { events, next, cutShort } = page;
  const first = addressOf(view, { before: '', open: '', show: '' });
  const heading = html`<div class="about"><p id="found">${foundWords(view, counts, times)}</p><p class="tools"><a href="${addressOf(view, { before: '', open: '', show: '' }, '/events.csv')}" download>CSV</a></p></div>
<p id="new-changes" role="status" data-first="${first}"></p>`;
  if (events.length === 0 && view.before === '') {
    return html`${heading}${emptyView(view, newest, cutShort, times)}${cutShort && next ? olderView(view, page, times) : ''}`;
  }
  return html`${heading}
${view.before === '' ? '' : html`<p class="pager"><a href="${first}">Newest changes</a></p>`}
${streamView(events, { view, times, now, severalCatalogues })}
${next === null ? endView(view) : olderView(view, page, times)}`;
}

function foundWords(view: View, { total, limitedTo, oldest }: Counts, times: LocalTimes): Html {
  const period = periods.find(([value]) => value === view.since)?.[1] ?? `Since ${view.since}`;
  const until = view.until === '' ? '' : `, before ${times.shortDay(view.until)}`;
  const most =
    limitedTo === null
      ? ''
      : ` among the newest ${whole(limitedTo)}${oldest === null ? '' : ` (back to ${times.shortDay(times.day(oldest))})`}`;
  return html`<b>${whole(total)}</b> ${total === 1 ? 'change' : 'changes'}${most} <span class="fine">${period}${until} · times of ${times.zone}</span>`;
}

function olderView(view: View, { next, cutShort }: EventPage, times: LocalTimes): Html {
  if (next === null) return html``;
  const address = addressOf(view, { before: placeText(next), open: '', show: '' });
  const day = times.shortDay(times.day(Number(next.at / 1000n)));
  return cutShort
    ? html`<p class="pager"><span>Searched back to ${day}.</span> <a rel="next" href="${address}">Search further back</a></p>`
    : html`<p class="pager"><a rel="next" href="${address}">Older changes</a></p>`;
}

function endView(view: View): Html {
  if (view.since === 'all') return html`<p class="pager">This is the beginning of the history.</p>`;
  return html`<p class="pager"><span>End of the period.</span> <a href="${addressOf(view, { since: 'all', open: '', show: '' })}">Show all time</a></p>`;
}

function emptyView(view: View, newest: string | null, cutShort: boolean, times: LocalTimes): Html {
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
  return html`<div class="notice"><h2>Nothing matches</h2><p>No change ${filtered ? 'matches these filters' : 'was made'} in this period. The newest change in the history is of ${times.moment(newest)}.</p><p class="links">${wider}${cleared}</p></div>`;
}
