import { worklistStateForms, worklistStates } from '../../lambdas/worklist/worklist-states.ts';
import type { Visitor } from '../access/access.ts';
import { type Html, html } from '../frame/html.ts';

/** Whether a visitor may decide about entries. */
export const mayDecide = ({ person }: Visitor): boolean => person?.role === 'decider';

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
