import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import type { EntityType } from './entity-type.ts';

/**
 * A value that the text leaves open: any of these may be published, and no other. Null means "left out". It is used where
 * free text can be split in several ways (several " to " between an old and a new value), and where only other rows
 * state the value.
 */
interface OneOf<T = unknown> {
  readonly oneOf: readonly (T | null)[];
}

/** A value, or the values that are acceptable for it. */
export type Stated<T = unknown> = T | OneOf<T>;

/** The right value or none, never a wrong one. */
export function possiblyLeftOut<T>(value: Stated<T>): OneOf<T> {
  return { oneOf: isOneOf(value) ? [null, ...(value.oneOf as T[])] : [null, value] };
}

/** Whether several values are acceptable. */
export function isOneOf(value: unknown): value is OneOf {
  return typeof value === 'object' && value !== null && 'oneOf' in value;
}

/** The entity that a fact is about. */
export interface FactEntity {
  readonly type: EntityType;
  readonly name: Stated<string>;
}

/** The fields of a change as far as the text states them; a field that is absent must not be filled. */
export type StatedChange<Kind extends EventKindName> = {
  readonly [Field in keyof Changes[Kind]]?: Field extends 'changes'
    ? readonly StatedField[]
    : Stated<Changes[Kind][Field] | null>;
};

/** One entry of the `changes[]` of `entity.annotated` and `panel.changed`. */
export interface StatedField {
  readonly field: string;
  readonly aspect?: string;
  readonly from?: Stated;
  readonly to?: Stated;
  readonly added?: Stated;
  readonly removed?: Stated;
}

/** One fact that the rows of an action state, in the vocabulary of the event contract. */
export interface Fact {
  readonly type: EventKindName;
  readonly panelId: number;
  readonly entity: FactEntity | null;
  readonly change: Readonly<Record<string, unknown>>;
  /** Which of the action's rows state it, oldest first from 0. */
  readonly rows: readonly number[];
  /** It follows from the rows, but need not be published. */
  readonly optional?: true;
}
