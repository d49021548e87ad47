import { worklistStateForms, worklistStates } from '../../lambdas/questions/worklist/worklist-states.ts';
import type { Visitor } from '../access/access.ts';
import { type Html, html } from '../frame/html.ts';

/** Whether a visitor may decide about entries. */
export const mayDecide = ({ person }: Visitor): boolean => person?.role === 'decider';

/** The form for a comment on an entry; its state stays. */
export function commentForm({ formToken }: Visitor, entry: string): Html {
  return html`<form action="/worklist/comment" method="post">
<input type="hidden" name="token" value="${formToken}"><input type="hidden" name="entry" value="${entry}">
<div class="field"><label for="c-text">Comment</label><textarea id="c-text" name="text" rows="2" cols="60" maxlength="4000" required></textarea></div>
<p class="buttons"><button>Comment</button> <span class="fine">The state stays. Write no name of a patient.</span></p>
</form>`;
}

interface DecisionForm {
  readonly visitor: Visitor;
  /** The address of the list to which the answer leads back. */
  readonly list: string;
  /** `this entry`. */
  readonly about: string;
  /** The names of people who can have an entry. */
  readonly people: readonly string[];
}

/** The fields of a decision and of an assignment, each with its button. */
export function decisionForm({ visitor, list, about, people }: DecisionForm): Html {
  return html`<div class="deciding" id="decide"><fieldset class="decision"><legend>Decide about ${about}</legend>
<input type="hidden" name="token" value="${visitor.formToken}"><input type="hidden" name="list" value="${list}">
<div class="field"><label for="d-state">State</label><select id="d-state" name="state" required><option value="">choose</option>${worklistStates.map(
    (state) => html`<option value="${state}">${worklistStateForms[state].words}</option>`,
  )}</select></div>
<div class="field"><label for="d-why">Reason</label><textarea id="d-why" name="why" rows="2" cols="30" maxlength="4000" required></textarea></div>
<p class="buttons"><button>Decide</button></p>
</fieldset>
<fieldset class="decision"><legend>Assign ${about}</legend>
<div class="field"><label for="d-to">Person</label><input id="d-to" name="to" list="d-people" autocomplete="off" spellcheck="false" placeholder="empty: no person" maxlength="200"><datalist id="d-people">${people.map((name) => html`<option value="${name}"></option>`)}</datalist></div>
<p class="buttons"><button formaction="/worklist/assign" formnovalidate>Assign</button> <button formaction="/worklist/assign" formnovalidate name="me" value="true">Assign to me</button></p>
</fieldset></div>`;
}
