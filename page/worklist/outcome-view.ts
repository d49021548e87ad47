import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import { headlineOf } from '../../lambdas/worklist/entry-words.ts';
import { type Html, html } from '../frame/html.ts';
import type { Decided } from './decide-audited.ts';

/** What became of the decisions of one form, those that were not made first. */
export function outcomeView(decided: readonly Decided[], state: string): Html {
  const isMade = ({ outcome }: Decided): boolean =>
    outcome?.kind === 'decided' || outcome?.kind === 'decided-before';
  const [made, others] = [decided.filter(isMade), decided.filter((each) => !isMade(each))];
  return html`<div class="page">
<h1>${others.length === 0 ? 'Decided' : 'Not everything was decided'}</h1>
${others.length === 0 ? '' : html`<ul class="warning">${others.map((each) => html`<li>${nameView(each)}: ${sentenceOf(each)}</li>`)}</ul>`}
${made.length === 0 ? '' : html`<p>These are now “${state}”:</p><ul>${made.map((each) => html`<li>${nameView(each)}</li>`)}</ul>`}
<p><a href="/worklist">Worklist</a></p>
</div>`;
}

const nameView = ({ entry }: Decided): Html =>
  entry
    ? html`<a href="/worklist/${entry.id}">${cleanLine(headlineOf(entry))}</a> <span class="fine">${cleanLine(entry.panel.name)}</span>`
    : html`An entry`;

function sentenceOf({ outcome }: Decided): string {
  if (outcome === null) return 'The worklist has no such entry.';
  return 'sentence' in outcome ? cleanLine(outcome.sentence, 5_000) : '';
}
