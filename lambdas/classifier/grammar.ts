import { type Entity, entityTypes } from '../events/schemas.ts';
import type { Form } from './form.ts';
import { type Heads, headsOf, openingsOf } from './heads.ts';
import { type Plan, planOf } from './plan.ts';
import type { Wording } from './wording.ts';

/** Forms, prepared once and found by what a row is about and how its text starts. */
export interface Grammar {
  /** The forms of rows about the panel. */
  readonly panel: Heads<Plan>;
  /** The forms of rows about an entity of a type; under null, those that are written for any. */
  readonly entity: ReadonlyMap<Entity['type'] | null, Heads<Plan>>;
  /** The wordings with which a row about an entity can start, apart from those that start with free text. */
  readonly entityOpenings: readonly Wording[];
}

export function grammarOf(forms: readonly Form[]): Grammar {
  const plans = forms.map(planOf);
  const heads = (fits: (form: Form) => boolean): Heads<Plan> =>
    headsOf(
      plans.filter(({ form }) => fits(form)),
      ({ form }) => openingsOf(form).map(({ head }) => head),
    );
  const onEntities = forms.filter(({ level }) => level === 'entity');
  return {
    panel: heads(({ level }) => level === 'panel'),
    entity: new Map([
      [null, heads(({ level, types }) => level === 'entity' && types.length === entityTypes.length)],
      ...entityTypes.map(
        (type) => [type, heads(({ level, types }) => level === 'entity' && types.includes(type))] as const,
      ),
    ]),
    entityOpenings: onEntities
      .flatMap(openingsOf)
      .filter(({ head }) => head.before !== '' || head.mention !== null),
  };
}
