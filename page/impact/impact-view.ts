import { geneAddress, panelAddress } from '../../lambdas/questions/addresses.ts';
import { type Effect, effectKinds } from '../../lambdas/questions/impact/compare-analyses.ts';
import type { Impact } from '../../lambdas/questions/impact/impact.ts';
import {
  countedWords,
  type ImpactHeading,
  panelWords,
  summaryOf,
  valuesOf,
  wordOf,
} from '../../lambdas/questions/impact/impact-words.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Html, html } from '../frame/html.ts';
import { ratingView } from '../frame/rating-view.ts';
import type { CaseEffects } from './case-effects.ts';

/** What the changes of panels mean for the cases of a file. */
interface ShownImpact {
  readonly impact: Impact;
  readonly heading: ImpactHeading;
  readonly catalogue: string;
  /** The cases of which something is to be said, in the order of the file; null where the answer is by change. */
  readonly byCase: CaseEffects | null;
}

/** More rows would make a view that no person reads to its end. */
const MOST_EFFECTS = 1_000;

/** The answer: how many cases, what is unknown and why, and the changes, each with its cases, or the cases. */
export function impactView({ impact, heading, catalogue, byCase }: ShownImpact): Html {
  return html`<h2 id="answer">Answer</h2>
${summaryOf(impact, heading).map((line) => html`<p>${line}</p>`)}
${unknownView(impact)}
${byCase ? caseTable(byCase) : changeTables(impact, catalogue)}
<p class="buttons"><button type="button" class="print" hidden>Print</button></p>`;
}

function unknownView({ unknown }: Impact): Html {
  if (unknown.length === 0) return html``;
  return html`<div class="warning"><p>Unknown:</p><ul>${unknown
    .slice(0, MOST_EFFECTS)
    .map(
      ({ why, cases, lines }) =>
        html`<li>${countedWords(cases, 'case')}: ${cleanLine(why, 1_000)}${lines.length === 0 ? '' : ` (line ${lines.join(', ')}${cases > lines.length ? ', …' : ''})`}</li>`,
    )}</ul>${unknown.length > MOST_EFFECTS ? html`<p>And ${unknown.length - MOST_EFFECTS} other reasons: the CSV has all.</p>` : ''}</div>`;
}

const titles: Readonly<Record<Effect['change'], string>> = {
  'now green': 'Now green',
  'no longer green': 'No longer green',
  'mode of inheritance changed': 'Mode of inheritance changed',
};

function changeTables({ effects, withUnknown }: Impact, catalogue: string): Html {
  if (effects.length === 0) {
    return html`<p class="notice">${withUnknown === 0 ? 'No change of a panel concerns these cases.' : 'No change of a panel concerns the cases that could be compared in full.'}</p>`;
  }
  return html`${effectKinds.map((change) => {
    const own = effects.filter(({ effect }) => effect.change === change);
    if (own.length === 0) return html``;
    return html`<h3>${titles[change]} (${own.length})</h3>
<table class="plain"><thead><tr><th scope="col">Gene</th><th scope="col">Cases</th><th scope="col">Before and now</th><th scope="col">Panel</th><th scope="col">Analysed with</th></tr></thead><tbody>${own
      .slice(0, MOST_EFFECTS)
      .map(
        ({ effect, cases, analysed }) =>
          html`<tr><th scope="row"><a href="${geneAddress(effect.name)}">${cleanLine(effect.name)}</a></th><td class="number">${countedWords(cases, 'case')}</td><td>${ratingsView(effect)}</td><td>${panelView(effect, catalogue)}</td><td>${analysed.slice(0, 10).join(', ')}${analysed.length > 10 ? ', …' : ''}</td></tr>
`,
      )}</tbody></table>${own.length > MOST_EFFECTS ? html`<p>The first ${MOST_EFFECTS} are shown; the CSV has all.</p>` : ''}`;
  })}`;
}

function caseTable({ cases, others }: CaseEffects): Html {
  if (cases.length === 0) return html`<p class="notice">No change of a panel concerns these cases.</p>`;
  return html`<table class="plain"><thead><tr><th scope="col">Case</th><th scope="col">Changes</th></tr></thead><tbody>${cases.map(
    ({ name, effects, unknown }) =>
      html`<tr><th scope="row">${name}</th><td>${[
        ...effects.map(
          (effect) =>
            html`<b>${cleanLine(effect.name)}</b> ${effect.change} on ${cleanLine(panelWords(effect), 1_000)}${effect.version === '' ? '' : ` ${effect.version}`}: ${ratingsView(effect)}`,
        ),
        ...unknown.map((why) => html`unknown: ${cleanLine(why, 1_000)}`),
      ].map((part, at) => (at === 0 ? part : html`<br>${part}`))}</td></tr>
`,
  )}</tbody></table>${others > 0 ? html`<p>These are the first ${cases.length} cases with something to say; the CSV has the ${others.toLocaleString('en-GB')} others.</p>` : ''}`;
}

function ratingsView(effect: Effect): Html {
  const { ratingThen, ratingNow, inheritanceNow } = effect;
  if (inheritanceNow !== null) return html`${cleanLine(valuesOf(effect), 1_000)}`;
  const shown = (rating: Effect['ratingThen']): Html | string =>
    rating === null ? 'unknown' : rating === 'absent' ? wordOf(rating) : ratingView(rating);
  return html`${shown(ratingThen)} <span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> ${shown(ratingNow)}`;
}

const panelView = ({ panelId, panelName, panelFormerly, version }: Effect, catalogue: string): Html =>
  html`<a href="${panelAddress(catalogue, panelId)}">${cleanLine(panelName)}</a>${panelFormerly.length > 0 ? html` <span class="fine">formerly ${panelFormerly.map((each) => cleanLine(each)).join(', ')}</span>` : ''}${version === '' ? '' : `, version ${version}`}`;
