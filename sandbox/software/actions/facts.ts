import type { Direction } from '../../../lambdas/events/changes.ts';
import type { Recording, WrittenRow } from '../recording.ts';
import {
  type Entity,
  type FactEntity,
  isOneOf,
  type Rating,
  type Stated,
  type StatedField,
} from '../state.ts';

/** Facts that several actions state alike. */

const order: readonly Rating[] = ['none', 'red', 'amber', 'green'];

/** The direction of a change of rating. */
export function directionOf(from: Rating, to: Rating): Direction {
  const steps = order.indexOf(to) - order.indexOf(from);
  if (steps === 0) return 'unchanged';
  return steps > 0 ? 'upgraded' : 'downgraded';
}

/** The entity in the form of a fact. */
export function factEntity({ type, name }: Entity): FactEntity {
  return { type, name };
}

/** States what a row changed of fields. */
export const annotatedFact = (
  recording: Recording,
  entity: Entity,
  changes: readonly StatedField[],
  row: WrittenRow,
): void => recording.fact('entity.annotated', factEntity(entity), { changes }, [row]);

/** States a rating from rows that do not say the rating before, which earlier rows may have stated. */
export function ratedFact(
  recording: Recording,
  entity: Entity,
  to: Rating,
  rows: readonly WrittenRow[],
  optional?: 'optional',
): void {
  const { rating: before, statedRating } = entity;
  const directions = [before, ...(statedRating ? [statedRating] : [])].map((from) => directionOf(from, to));
  recording.fact(
    'entity.classified',
    factEntity(entity),
    {
      to,
      from: { oneOf: [null, before, statedRating] },
      direction: { oneOf: ['unknown', ...directions] },
    },
    rows,
    optional,
  );
  rateSilently(entity, to);
  entity.statedRating = to;
}

/** Sets the rating, which writes no row. */
export function rateSilently(entity: Entity, to: Rating): void {
  entity.rating = to;
}

/** States a comment around which the software stored words of its own. It is right with and without them. */
export function commentFact(
  recording: Recording,
  entity: Entity,
  comment: { readonly typed: string; readonly stored: Stated },
  row: WrittenRow,
  optional?: 'optional',
): void {
  recording.fact(
    'entity.commented',
    factEntity(entity),
    { comment: { oneOf: [...anyOf(comment.stored), comment.typed] as string[] }, action: 'added' },
    [row],
    optional,
  );
}

function anyOf(value: Stated): readonly unknown[] {
  return isOneOf(value) ? value.oneOf : [value];
}

/** The change of a field from a line whose key is the field, and its aspect after a dot. */
export function fieldFrom(key: string, stated: Readonly<Record<string, Stated>> | undefined): StatedField {
  const [field = '', aspect] = key.split('.');
  const change: { -readonly [Name in keyof StatedField]: StatedField[Name] } = { field };
  if (aspect !== undefined) change.aspect = aspect;
  for (const slot of ['from', 'to', 'added', 'removed'] as const) {
    if (stated && slot in stated) change[slot] = stated[slot];
  }
  return change;
}
