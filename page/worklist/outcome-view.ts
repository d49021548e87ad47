import { headlineOf } from '../../lambdas/questions/worklist/entry-words.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Html, html } from '../frame/html.ts';
import type { Decided } from './decide-audited.ts';

interface Outcome {
  readonly decided: readonly Decided[];
  /** `Decided`, where everything was. */
  readonly heading: string;
  /** What the entries are now: `“done”`. */
  readonly now: string;
  /** The address of the list from which the form was sent. */
  readonly list: string;
}

/** What became of the entries of one form, those that stay as they were first. */
export function outcomeView({ decided, heading, now, list }: Outcome): Html {
  const made = decided.filter(({ refusal }) => refusal === null);
  const others = decided.filter(({ refusal }) => refusal !== null);
  return html`<div class="page">
<h1>${heading}</h1>
${others.length === 0 ? '' : html`<ul class="warning">${others.map((each) => html`<li>${nameView(each)}: ${cleanLine(each.refusal ?? '', 5_000)}</li>`)}</ul>`}
${made.length === 0 ? '' : html`<p>${made.length === 1 ? 'This is' : `These ${made.length} are`} now ${now}:</p><ul class="decisions">${made.map((each) => html`<li>${nameView(each)}</li>`)}</ul>`}
<p><a class="button" href="${list}">Back to the list</a></p>
</div>`;
}

const nameView = ({ entry }: Decided): Html =>
  entry
    ? html`<a href="/worklist/${entry.id}">${cleanLine(headlineOf(entry))}</a> <span class="fine">${cleanLine(entry.panel.name)}</span>`
    : html`An entry`;
