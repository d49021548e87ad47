import { worklistStateForms, worklistStates } from '../../lambdas/worklist/worklist-states.ts';
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

/** The fields of a decision: the state, the reason, and the button. */
export function decisionForm({ formToken }: Visitor, button: string): Html {
  return html`<fieldset class="decision"><legend>Decision</legend>
<input type="hidden" name="token" value="${formToken}">
<div class="field"><label for="d-state">State</label><select id="d-state" name="state" required><option value="">choose</option>${worklistStates.map(
    (state) => html`<option value="${state}">${worklistStateForms[state].words}</option>`,
  )}</select></div>
<div class="field"><label for="d-why">Reason</label><textarea id="d-why" name="why" rows="2" cols="60" maxlength="4000" required></textarea></div>
<p class="buttons"><button>${button}</button></p>
</fieldset>`;
}
