import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { daysSince, type LagEntry, type PanelLag, type SignOffLag } from '../../lambdas/panels/read-lag.ts';
import { type LagList, lagLists } from '../../lambdas/questions/lag-rows.ts';
import { formatInstant, type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { lagLimits } from '../../lambdas/words/lag-limits.ts';
import { inheritanceWords } from '../../lambdas/words/value-words.ts';
import { entityAddress, panelAddress, versionAddress } from '../addresses.ts';
import { codesView } from '../frame/codes-view.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { ratingView } from '../frame/rating-view.ts';
import { nameField } from '../names/name-field.ts';
import type { PageNames } from '../names/page-names.ts';
import { isAllUnknown, type UnknownName } from '../names/unknown-names.ts';
import { unknownNamesView } from '../names/unknown-names-view.ts';
import { type LagQuery, lagParameters } from './lag-query.ts';

/** What waits for a sign-off on the panels of one catalogue. */
export interface CatalogueLag {
  readonly catalogue: string;
  readonly lag: SignOffLag;
  /** Whether any of its panels was asked for. */
  readonly isAsked: boolean;
}

interface LagPage {
  readonly query: LagQuery;
  readonly found: readonly CatalogueLag[];
  readonly names: PageNames;
  readonly unknown: readonly UnknownName[];
}

/** What is green and not signed off yet, and before it what is signed off and no longer green; made to be printed too. */
export function lagPageView(page: LagPage, moment: Moment): Html {
  const { query, names, unknown } = page;
  const scope = [
    query.values['r-code'].join(', '),
    query.values.panel.map((value) => names.labelOf('panel', value)).join(', '),
    `as known on ${moment.times.moment(moment.now)}`,
  ].filter(Boolean);
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    if (filter !== 'panel' && filter !== 'r-code') return '/signed-off';
    const rest = query.values[filter].filter((each) => each !== value);
    return addressOf({ ...query, values: { ...query.values, [filter]: [...rest, chosen] } });
  });
  return html`<div class="page green-page">
<h1>Not signed off yet</h1>
<p class="lead">${scope.join(' · ')}</p>
<p>Laboratories that test by signed-off versions use a gene from the next sign-off on. This view compares the newest version of each panel that was read, with what events state since, with its signed-off version.</p>
${lagForm(query, names)}
${notices}
${isAllUnknown(query, unknown) ? '' : foundView(page, moment)}
</div>`;
}

function foundView(page: LagPage, moment: Moment): Html {
  if (page.found.length > 0) return html`${page.found.map((each) => catalogueView(each, { page, moment }))}`;
  return html`<p class="warning">No panel that was read has this code or name, so nothing is known of its signed-off version.</p>`;
}

const addressOf = (query: LagQuery, path = '/signed-off'): string => {
  const parameters = lagParameters(query);
  return parameters === '' ? path : `${path}?${parameters}`;
};

function lagForm(query: LagQuery, names: PageNames): Html {
  const { values, order } = query;
  const chips = (['panel', 'r-code'] as const).flatMap((name) =>
    values[name].map((value) => {
      const rest = values[name].filter((each) => each !== value);
      const address = addressOf({ ...query, values: { ...values, [name]: rest } });
      return html`<li><a href="${address}">${name === 'panel' ? 'Panel' : 'R code'}: <b>${names.labelOf(name, value)}</b><span class="unseen">; remove it</span> <span aria-hidden="true">×</span></a></li>`;
    }),
  );
  return html`<form action="/signed-off" method="get" class="inline">
${nameField({ name: 'r-code', label: 'R codes', given: values['r-code'], prefix: 's' })}
${nameField({ name: 'panel', label: 'Panel', given: values.panel, prefix: 's' })}
<div class="field"><label for="s-order">Order</label><select id="s-order" name="order"><option value="age">longest first</option><option value="panel"${order === 'panel' ? html` selected` : ''}>by panel</option></select></div>
<p class="buttons"><button>Show</button> <a href="${addressOf(query, '/signed-off.csv')}">CSV</a> <button type="button" class="copy" hidden>Copy address</button> <button type="button" class="print" hidden>Print</button> <span id="copied" role="status"></span></p>
</form>
${chips.length === 0 ? '' : html`<ul class="chips" aria-label="Filters that are set">${chips}</ul>`}`;
}

interface ViewContext {
  readonly page: LagPage;
  readonly moment: Moment;
}

function catalogueView({ catalogue, lag }: CatalogueLag, { page, moment }: ViewContext): Html {
  const { times } = moment;
  const now = instantOf(moment.now);
  const limits = lagLimits(lag, catalogue);
  const lists = lagLists.map((list) => {
    const entries = lag.panels.flatMap((panel) => panel[list].map((entry) => ({ panel, entry })));
    const isByAge = page.query.order === 'age';
    const sorted = isByAge
      ? entries.toSorted((one, other) => (one.entry.since.at < other.entry.since.at ? -1 : 1))
      : entries;
    return { list, entries: sorted };
  });
  const isEqual = lag.panels.length > 0 && lists.every(({ entries }) => entries.length === 0);
  return html`${page.found.length > 1 ? html`<h2>${catalogue}</h2>` : ''}
${lag.panels.length === 0 ? '' : html`<p>${counted(lag.panels.length, 'panel')} compared with ${lag.panels.length === 1 ? 'its' : 'their'} signed-off version${isEqual ? ': the same genes, STRs and regions are green in both' : ''}.</p>`}
${limits.map(({ kind, sentence }) => html`<p class="${kind === 'unknown' ? 'warning' : 'fine'}">${cleanLine(sentence)}</p>`)}
${lists.map(({ list, entries }) =>
  entries.length === 0
    ? ''
    : html`<h2>${titles[list]} <span class="facts">${entries.length}</span></h2>
<table class="plain"><thead><tr><th scope="col">Gene, STR or region</th><th scope="col">Panel</th><th scope="col">Signed-off version</th><th scope="col">Newest version</th><th scope="col">Since</th><th scope="col">For</th></tr></thead><tbody>
${entries.map(({ panel, entry }) => lagRow(panel, entry, { catalogue, times, now }))}</tbody></table>`,
)}`;
}

const titles = {
  downgraded: 'Signed off as green, no longer green',
  awaiting: 'Green, not signed off yet',
  inheritance: 'Green in both, mode of inheritance changed',
} as const satisfies Readonly<Record<LagList, string>>;

interface RowContext {
  readonly catalogue: string;
  readonly times: LocalTimes;
  readonly now: Instant;
}

function lagRow(
  { signOff, working, read, asOf }: PanelLag,
  { entity, signedOff, working: rating, since, modes }: LagEntry,
  { catalogue, times, now }: RowContext,
): Html {
  const { panelId, panelName, relevantDisorders } = working;
  const codes = rCodesIn(relevantDisorders);
  const day = times.shortDay(times.day(Number(since.at / 1000n)));
  const days = daysSince(since.at, now);
  const version = cleanLine(working.version);
  // What a version that was not read holds cannot be shown.
  const link =
    read.version === working.version
      ? html`<a href="${versionAddress(catalogue, panelId, version)}">${version}</a>`
      : version;
  const newest =
    asOf > read.readAt ? html`${link}, by events up to ${times.moment(formatInstant(asOf))}` : link;
  return html`<tr><th scope="row"><a href="${entityAddress(entity.name, panelId)}">${cleanLine(entity.name)}</a>${entity.type === 'gene' ? '' : html` <span class="fine">${entity.type === 'str' ? 'STR' : entity.type}</span>`}</th><td><a href="${panelAddress(catalogue, panelId)}">${cleanLine(panelName)}</a>${codesView(codes.length > 0 ? ` (${codes.join(', ')})` : '')}</td><td>${modes ? inheritanceWords(modes.signedOff) : ratingView(signedOff)} <span class="fine">${cleanLine(signOff.version)}, ${times.shortDay(signOff.date)}</span></td><td>${modes ? inheritanceWords(modes.working) : ratingView(rating)} <span class="fine">${newest}</span></td><td class="when">${since.isExact ? '' : 'by '}${day}</td><td class="number">${since.isExact ? '' : '≥ '}${counted(days, 'day')}</td></tr>
`;
}
