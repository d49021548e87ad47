import { type Entity, entityTypes } from '../events/schemas.ts';
import type { Form } from './form.ts';
import { forms } from './grammar/forms.ts';
import { type Heads, headsOf, openingsOf } from './heads.ts';
import { type Plan, planOf } from './plan.ts';
import type { Wording } from './wording.ts';

/** The forms of the grammar, prepared once and found by what a row is about and how its text starts. */

type Type = Entity['type'] | null;

const plans = forms.map(planOf);

function headsFor(level: Form['level'], type: Type): Heads<Plan> {
  const fitting = plans.filter(
    ({ form }) =>
      form.level === level && (type ? form.types.includes(type) : form.types.length === entityTypes.length),
  );
  return headsOf(fitting, ({ form }) => openingsOf(form));
}

const panelHeads = headsFor('panel', null);
const entityHeads = new Map([...entityTypes, null].map((type) => [type, headsFor('entity', type)] as const));

/** The forms in which a row about the panel, or about an entity of that type, can be written. */
export function plansFor(level: Form['level'], type: Type): Heads<Plan> {
  return level === 'panel' ? panelHeads : (entityHeads.get(type) ?? panelHeads);
}

/** The wordings with which a row about an entity can start; those that start with free text tell nothing. */
export const entityOpenings: readonly Wording[] = plans
  .filter(({ form }) => form.level === 'entity')
  .flatMap(({ form }) => openingsOf(form))
  .filter(({ head }) => head.before !== '' || head.mention !== null);
