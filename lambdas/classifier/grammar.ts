import { type Entity, entityTypes } from '../events/schemas.ts';
import { addressed } from './addressed.ts';
import type { Form } from './form.ts';
import { type Heads, headsOf } from './heads.ts';
import { type Plan, planOf, startsOf } from './plan.ts';
import { hasWords, type Wording } from './wording.ts';

/** Forms, prepared once and found by what a row is about and how its text starts. */
export interface Grammar {
  /** The forms of rows about the panel. */
  readonly panel: Heads<Plan>;
  /** The forms of rows about an entity of a type; under null, those that mention none. */
  readonly entity: ReadonlyMap<Entity['type'] | null, Heads<Plan>>;
  /** The wordings with which a row about an entity can start, apart from those that start with free text. */
  readonly entityOpenings: readonly Wording[];
}

export function grammarOf(forms: readonly Form[]): Grammar {
  const onEntities = forms.filter(({ level }) => level === 'entity');
  const types = [...entityTypes, null];
  return {
    panel: headsFor(
      forms.filter(({ level }) => level === 'panel'),
      null,
    ),
    entity: new Map(types.map((type) => [type, headsFor(onEntities, type)])),
    entityOpenings: onEntities.flatMap(startsOf).filter(({ head }) => hasWords(head)),
  };
}

function headsFor(forms: readonly Form[], type: Entity['type'] | null): Heads<Plan> {
  const fitting = forms.filter(({ types }) =>
    type ? types.includes(type) : types.length === entityTypes.length,
  );
  return headsOf(
    fitting.map((form) => planOf(form, type)),
    ({ form }) => startsOf(form).flatMap(({ head }) => addressed(head, type)?.before ?? []),
  );
}
