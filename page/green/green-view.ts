import type { EntityChange } from '../../lambdas/filters/entity-history.ts';
import type { ChangeListWords } from '../../lambdas/filters/green-turn.ts';
import { countOfList } from '../../lambdas/filters/net-changes.ts';
import { entityAddress, panelAddress } from '../../lambdas/questions/addresses.ts';
import { howMuchWasRead, type ReadPart } from '../../lambdas/store/history/read-part.ts';
import { nothingFoundWords, readWords } from '../../lambdas/store/history/read-part-words.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { codesOf, entityName } from '../../lambdas/words/panel-words.ts';
import { signOffChangeWords } from '../../lambdas/words/sign-off-words.ts';
import { codesView } from '../frame/codes-view.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { ratingView } from '../frame/rating-view.ts';
import { unreadView } from '../frame/unread-view.ts';
import type { PageNames } from '../names/page-names.ts';
import { isAllUnknown, type UnknownName } from '../names/unknown-names.ts';
import { unknownNamesView } from '../names/unknown-names-view.ts';
import { greenForm } from './green-form.ts';
import { type GreenQuery, greenParameters } from './green-query.ts';
import type { PanelGreens } from './green-report.ts';

/** What turned green, what of the period was read, and which of the names exist. */
interface GreenPage {
  readonly query: GreenQuery;
  readonly greens: readonly PanelGreens[];
  readonly parts: readonly ReadPart[];
  readonly names: PageNames;
  readonly unknown: readonly UnknownName[];
}

/** The net changes to and from green between two days, by panel; made to be printed too. */
export function greenPageView(page: GreenPage, moment: Moment): Html {
  const { query, names, unknown } = page;
  const { times, now } = moment;
  // A printed list has no form that says what was asked.
  const scope = [
    `${times.shortDay(query.from)} to ${times.shortDay(query.to)}`,
    query.values['r-code'].join(', '),
    query.values.panel.map((value) => names.labelOf('panel', value)).join(', '),
    query.signedOff && 'panels with a signed-off version',
    `as known on ${times.moment(now)}`,
  ].filter(Boolean);
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    if (filter !== 'panel' && filter !== 'r-code') return '/green';
    const rest = query.values[filter].filter((each) => each !== value);
    return `/green?${greenParameters({ ...query, values: { ...query.values, [filter]: [...rest, chosen] } })}`;
  });
  return html`<div class="page green-page">
<h1>What turned green</h1>
<p class="lead">${scope.join(' · ')}</p>
${greenForm(query, names)}
${notices}
${isAllUnknown(query, unknown) ? '' : foundView(page, moment)}
</div>`;
}

function foundView({ greens, parts }: GreenPage, { times }: Moment): Html {
  const panels = greens.map(({ panel }) => panel);
  const count = (list: ChangeListWords): number => countOfList(panels, list);
  if (greens.length === 0) {
    const nothing = 'No gene, STR or region turned green, and none stopped being green,';
    return html`${unreadView(parts, times)}<p class="notice">${nothingFoundWords(nothing, parts)}</p>`;
  }
  const severalCatalogues = new Set(greens.map(({ panel }) => panel.catalogue)).size > 1;
  const perhaps = count('rated green, perhaps green before');
  const perhapsNot = count('may no longer be green');
  const read = howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  return html`${unreadView(parts, times)}
<p><b>${count('now green')}</b> now green and <b>${count('no longer green')}</b> no longer green on ${counted(greens.length, 'panel')}${read}. These are net changes: what turned green and back within the period is not listed.</p>
${perhaps === 0 ? '' : html`<p><b>${perhaps}</b> more ${perhaps === 1 ? 'was' : 'were'} rated green and may have been green before.</p>`}
${perhapsNot === 0 ? '' : html`<p><b>${perhapsNot}</b> more may no longer be green.</p>`}
${perhaps + perhapsNot === 0 ? '' : html`<p>For these, the rows that were read do not state the rating before or after the change. A new folder that begins with <code>watch --learn-since</code> and a day reads the ratings of older rows.</p>`}
${greens.map((each) => panelSection(each, { severalCatalogues, times }))}`;
}

interface SectionContext {
  readonly severalCatalogues: boolean;
  readonly times: LocalTimes;
}

function panelSection(greens: PanelGreens, { severalCatalogues, times }: SectionContext): Html {
  const { catalogue, id, name, version, disorders, promoted, signOff } = greens.panel;
  const facts = [
    severalCatalogues && catalogue,
    version && `version ${cleanLine(version)}`,
    promoted && `promoted to ${cleanLine(promoted.to)}`,
    signOff && signOffChangeWords(signOff),
  ].filter(Boolean);
  return html`<section class="panel"><h2><a href="${panelAddress(catalogue, id)}">${cleanLine(name)}</a>${codesView(codesOf({ relevantDisorders: disorders }))} <span class="facts">${facts.join(' · ')}</span></h2>
<table class="plain"><thead class="unseen"><tr><th scope="col">Gene, STR or region</th><th scope="col">Change</th><th scope="col">When</th><th scope="col">Version</th><th scope="col">By</th></tr></thead><tbody>
${greens.lists.map(({ changes }) =>
  changes.map((change) => changeRow(change, { panel: id, isPerhaps: change.from === 'unknown', times })),
)}</tbody></table></section>
`;
}

interface RowContext {
  readonly panel: number;
  readonly isPerhaps: boolean;
  readonly times: LocalTimes;
}

function changeRow(
  { entity, formerly, steps, at, version, actor }: EntityChange,
  { panel, isPerhaps, times }: RowContext,
): Html {
  const address = entityAddress(entity.name, panel);
  return html`<tr><th scope="row"><a href="${address}">${entityName(entity)}</a>${formerly.length > 0 ? html` <span class="fine">formerly ${formerly.map((each) => cleanLine(each)).join(', ')}</span>` : ''}</th><td>${steps.map(
    (status, index) =>
      html`<span class="step">${index === 0 ? '' : html`<span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> `}${ratingView(status)}</span> `,
  )}${isPerhaps ? html`<span class="fine">perhaps green before</span>` : ''}</td><td class="when">${at === '' ? '' : times.shortDay(times.day(at))}</td><td class="number">${cleanLine(version ?? '')}</td><td class="by">${cleanLine(actor ?? '')}</td></tr>`;
}
