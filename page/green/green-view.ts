import { nothingFoundWords, unreadSentences } from '../../lambdas/history/read-part-words.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import { entityName } from '../../lambdas/messages/entity-name.ts';
import type { Report } from '../../lambdas/reports/report.ts';
import type { EntityChange } from '../../lambdas/subscriptions/entity-history.ts';
import type { PanelChanges } from '../../lambdas/subscriptions/net-changes.ts';
import { entityAddress, panelAddress } from '../addresses.ts';
import { codesView } from '../frame/codes-view.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { ratingView } from '../frame/rating-view.ts';
import { type GreenQuery, greenParameters } from './green-query.ts';

/** What turned green, and what a laboratory calls the panels. */
interface Greens {
  readonly report: Report;
  /** The R codes of a panel, as ` (R208)`; empty where it has none. */
  readonly codesOf: (panel: PanelChanges) => string;
}

/** The net changes to and from green between two days, by panel; made to be printed too. */
export function greenPageView(query: GreenQuery, { report, codesOf }: Greens, { times, now }: Moment): Html {
  const { panels } = report.changes;
  const [greens, others] = (['nowGreen', 'noLongerGreen'] as const).map((list) =>
    panels.reduce((sum, panel) => sum + panel[list].length, 0),
  );
  // A printed list has no form that says what was asked.
  const scope = [
    `${times.shortDay(query.from)} to ${times.shortDay(query.to)}`,
    query.rCode,
    query.panel && `panel ${query.panel}`,
    query.signedOff && 'signed-off panels',
    `as known on ${times.moment(now)}`,
  ].filter(Boolean);
  const severalCatalogues = new Set(panels.map(({ catalogue }) => catalogue)).size > 1;
  return html`<div class="page green-page">
<h1>What turned green</h1>
<p class="lead">${scope.join(' · ')}</p>
<form action="/green" method="get" class="inline">
<div class="field"><label for="g-from">From</label><input id="g-from" name="from" type="date" value="${query.from}"></div>
<div class="field"><label for="g-to">To, this day included</label><input id="g-to" name="to" type="date" value="${query.to}"></div>
<div class="field"><label for="g-code">R codes</label><input id="g-code" name="r-code" value="${query.rCode}" placeholder="all" autocomplete="off"></div>
<div class="field"><label for="g-panel">Panel</label><input id="g-panel" name="panel" value="${query.panel}" placeholder="all" autocomplete="off"></div>
<label class="choice"><input type="checkbox" name="panel-type" value="gms-signed-off"${query.signedOff ? html` checked` : ''}> <span>signed-off panels only</span></label>
<p class="buttons"><button>Show</button> <a href="/green.csv?${greenParameters(query)}">CSV</a> <button type="button" class="print" hidden>Print</button></p>
</form>
${report.warnings.map((line) => html`<p class="warning">${line}</p>`)}
${unreadSentences(report.read, (at) => times.moment(Number(at / 1000n))).map((line) => html`<p class="${line.includes('may be missing') ? 'warning' : 'fine'}">${line}</p>`)}
${
  panels.length === 0
    ? html`<p class="notice">${nothingFoundWords('No gene, STR or region turned green, and none stopped being green,', report.read)}</p>`
    : html`<p><b>${greens}</b> now green and <b>${others}</b> no longer green on ${panels.length} ${panels.length === 1 ? 'panel' : 'panels'}. These are net changes: what turned green and back within the period is not listed.</p>
${panels.map((panel) => panelSection(panel, { codes: codesOf(panel), severalCatalogues, times }))}`
}
</div>`;
}

interface SectionContext {
  readonly codes: string;
  readonly severalCatalogues: boolean;
  readonly times: LocalTimes;
}

function panelSection(panel: PanelChanges, { codes, severalCatalogues, times }: SectionContext): Html {
  const { catalogue, id, name, version, promoted, signedOff, nowGreen, noLongerGreen } = panel;
  const facts = [
    severalCatalogues && catalogue,
    version && `version ${cleanLine(version)}`,
    promoted && `promoted to ${cleanLine(promoted.to)}`,
    signedOff === true && 'signed off',
    signedOff === false && 'sign-off withdrawn',
  ].filter(Boolean);
  return html`<section class="panel"><h2><a href="${panelAddress(catalogue, id)}">${cleanLine(name)}</a>${codesView(codes)} <span class="facts">${facts.join(' · ')}</span></h2>
<table class="plain"><thead class="unseen"><tr><th scope="col">Entity</th><th scope="col">Change</th><th scope="col">When</th><th scope="col">Version</th><th scope="col">By</th></tr></thead><tbody>
${[...nowGreen, ...noLongerGreen].map((change) => changeRow(change, id, times))}</tbody></table></section>
`;
}

function changeRow(
  { entity, formerly, steps, at, version, actor }: EntityChange,
  panel: number,
  times: LocalTimes,
): Html {
  const address = entityAddress(entity.name, panel);
  return html`<tr><th scope="row"><a href="${address}">${entityName(entity)}</a>${formerly.length > 0 ? html` <span class="fine">formerly ${formerly.map((each) => cleanLine(each)).join(', ')}</span>` : ''}</th><td>${steps.map(
    (status, index) =>
      html`<span class="step">${index === 0 ? '' : html`<span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> `}${ratingView(status)}</span> `,
  )}</td><td class="when">${at === '' ? '' : times.shortDay(times.day(at))}</td><td class="number">${cleanLine(version ?? '')}</td><td class="by">${cleanLine(actor ?? '')}</td></tr>`;
}
