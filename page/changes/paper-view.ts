import type { ReadPart } from '../../lambdas/store/history/read-part.ts';
import { howMuchWasRead } from '../../lambdas/store/history/read-part.ts';
import { nothingFoundWords, readWords } from '../../lambdas/store/history/read-part-words.ts';
import type { EventPage } from '../../lambdas/store/history/sqlite-pages.ts';
import { type Html, html } from '../frame/html.ts';
import type { Moment } from '../frame/local-times.ts';
import { unreadView } from '../frame/unread-view.ts';
import { addressOf, periods, type View } from '../view.ts';
import { streamView } from './stream.ts';

interface PaperPage {
  readonly view: View;
  readonly page: EventPage;
  /** What the view is limited to, in words. */
  readonly title: string;
  readonly parts: readonly ReadPart[];
  readonly severalCatalogues: boolean;
}

/** All changes of a view, for paper: with a title that says what was asked, and without what only a screen needs. */
export function paperView({ view, page, title, parts, severalCatalogues }: PaperPage, moment: Moment): Html {
  const { times, now } = moment;
  const { events, next } = page;
  const period =
    periods.find(([value]) => value === view.since)?.[1] ?? `Since ${times.shortDay(view.since)}`;
  const until = view.until === '' ? '' : `, before ${times.shortDay(view.until)}`;
  const read = howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  const back = addressOf(view, { open: '', show: '' });
  return html`<div class="page paper-page">
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
}
