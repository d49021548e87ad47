import { geneAddress, panelAddress } from '../../lambdas/questions/addresses.ts';
import type { AnalysedCase } from '../../lambdas/questions/impact/analysis.ts';
import { fieldNames } from '../../lambdas/questions/impact/case-columns.ts';
import { type Effect, effectKinds } from '../../lambdas/questions/impact/compare-analyses.ts';
import type { Impact } from '../../lambdas/questions/impact/impact.ts';
import {
  type ImpactHeading,
  panelWords,
  summaryOf,
  valuesOf,
  wordOf,
} from '../../lambdas/questions/impact/impact-words.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import type { Visitor } from '../access/access.ts';
import { type Html, html } from '../frame/html.ts';
import { ratingView } from '../frame/rating-view.ts';
import {
  answerForms,
  countChoices,
  dateChoices,
  IMPACT_PATH,
  LARGEST_UPLOAD,
  MOST_LINES,
} from './impact-question.ts';

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
        html`<li>${counted(cases, 'case')}: ${cleanLine(why, 1_000)}${lines.length === 0 ? '' : ` (line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${cases > lines.length ? ', …' : ''})`}</li>`,
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
          html`<tr><th scope="row"><a href="${geneAddress(effect.name)}">${cleanLine(effect.name)}</a></th><td class="number">${counted(cases, 'case')}</td><td>${ratingsView(effect)}</td><td>${panelView(effect, catalogue)}</td><td>${analysed.slice(0, 10).join(', ')}${analysed.length > 10 ? ', …' : ''}</td></tr>
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

/** The form for a file of cases. @param catalogues whose panels the cases may have been analysed with */
export function impactForm({ formToken }: Visitor, catalogues: readonly string[]): Html {
  return html`<form action="${IMPACT_PATH}" method="post" enctype="multipart/form-data" class="upload">
<input type="hidden" name="token" value="${formToken}">
<p class="field"><label for="i-cases">File of cases</label><input id="i-cases" type="file" name="cases" accept=".csv,.tsv,.txt,.ndjson,.jsonl" required aria-describedby="i-note"></p>
<p class="fine" id="i-note">CSV with headings, or one JSON object a line (.ndjson): case, panel, and the version, the day of the analysis, or both. At most ${MOST_LINES.toLocaleString('en-GB')} lines and ${LARGEST_UPLOAD / 1_000_000} MB. The file is read in memory, for this answer alone: nothing of it is kept.</p>
${catalogues.length < 2 ? '' : selectField('catalogue', 'Catalogue', Object.fromEntries(catalogues.map((name) => [name, name])))}
${selectField('counts', 'What counts now', countChoices)}
<p class="field"><label><input type="checkbox" name="without-inheritance" value="yes"> Leave out green genes whose mode of inheritance changed</label></p>
${selectField('as', 'Show the answer', answerForms)}
<details><summary>Other headings, or days that can be read in two ways</summary>
${selectField('date-format', 'Days are written', dateChoices)}
${fieldNames.map((field) => html`<p class="field"><label for="i-column-${field}">Heading of the ${field}</label><input id="i-column-${field}" name="column-${field}" autocomplete="off" spellcheck="false"></p>`)}
</details>
<p class="buttons"><button>Compare</button></p>
</form>`;
}

const selectField = (name: string, label: string, choices: Readonly<Record<string, string>>): Html =>
  html`<p class="field"><label for="i-${name}">${label}</label><select id="i-${name}" name="${name}">${Object.entries(choices).map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></p>`;

/** A case of which something is to be said. */
interface CaseEffect {
  readonly name: string;
  readonly effects: readonly Effect[];
  readonly unknown: readonly string[];
}

/** The first such cases of a file, and how many more there are. */
interface CaseEffects {
  readonly cases: readonly CaseEffect[];
  readonly others: number;
}

/** More would make a view that is too long to read and to hold. */
const MOST_CASES = 300;
const MOST_CHANGES = 3_000;

/** The cases with a change, or of which something is unknown, in the order of the file. */
export async function caseEffectsOf(
  impact: Impact,
  cases: AsyncIterable<AnalysedCase>,
): Promise<CaseEffects> {
  const seen = new Set<string>();
  const shown: CaseEffect[] = [];
  let [changes, others] = [0, 0];
  for await (const { case: name } of cases) {
    if (seen.has(name)) continue;
    seen.add(name);
    const own = impact.of(name);
    if (!own || own.effects.length + own.unknown.length === 0) continue;
    const size = own.effects.length + own.unknown.length;
    if (others > 0 || shown.length === MOST_CASES || (changes > 0 && changes + size > MOST_CHANGES)) {
      others += 1;
      continue;
    }
    changes += size;
    shown.push({ name, effects: own.effects, unknown: own.unknown });
  }
  return { cases: shown, others };
}
