import type { EntityType } from '../entity-type.ts';

/**
 * The lines that one row of the log can hold, in the order in which the software writes them. The key of a line
 * is what it means, and lines of different rows that mean the same have the same key. Keys of annotations are
 * the field, and its aspect after a dot: `modeOfInheritance`, `coordinates.GRCh37`.
 */
export interface RowShape<Key extends string = string> {
  /** The entities that such a row is written for, or `panel` for a row about a panel. */
  readonly on: readonly EntityType[] | 'panel';
  /** What stands before the first line, in the same line. */
  readonly opening?: string;
  /** What stands between the lines: a newline where nothing is said. */
  readonly separator?: string;
  readonly lines: Readonly<Record<Key, string>>;
  /** Lines that are always there. */
  readonly must?: readonly NoInfer<Key>[];
  /** Lines that can stand several times. */
  readonly repeated?: readonly NoInfer<Key>[];
  /** Lines of so little wording of their own that any other reading goes before theirs. */
  readonly weak?: readonly NoInfer<Key>[];
}

/** The keys of a shape's lines; of any of them, where it may be one of several shapes. */
export type KeyOf<Shape> = Shape extends RowShape<infer Key> ? Key : never;

/** A row of several lines. */
export function rowShape<const Key extends string>(shape: RowShape<Key>): RowShape<Key> {
  return shape;
}

/** Rows of one line each. */
export function singleLines<const Key extends string>(
  on: RowShape['on'],
  lines: Readonly<Record<Key, string>>,
): { readonly [K in Key]: RowShape<K> } {
  const shapes = (Object.entries(lines) as [Key, string][]).map(([key, text]) => [
    key,
    { on, lines: { [key]: text } },
  ]);
  return Object.fromEntries(shapes);
}
