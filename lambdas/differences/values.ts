import type { Annotation } from '../events/changes.ts';

/** A value of a field, as an event states it. */
export type Stated = Annotation['to'];

/** A text that an event states; undefined for what is no single text. */
export const textOf = (stated: Stated): string | null | undefined =>
  Array.isArray(stated) ? undefined : stated;

/** A list that an event states; undefined for what is no list. */
export const listOf = (stated: Stated): readonly string[] | undefined => {
  if (stated === null || stated === '') return [];
  return Array.isArray(stated) ? stated : undefined;
};

/** Whether two texts are equal; the catalogue serves null and the empty text for what is not set. */
export const sameText = (one: string | null, other: string | null): boolean =>
  (one ?? '').trim() === (other ?? '').trim();

/** Whether two lists have the same items: neither order nor repeats mean anything. */
export function sameList(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [itemsOf(one), itemsOf(other)];
  return first.size === second.size && [...first].every((item) => second.has(item));
}

/** The items of a list, each once. */
export const itemsOf = (list: readonly string[]): ReadonlySet<string> =>
  new Set(list.map((item) => item.trim()).filter(Boolean));

/** Whether two values of listings are equal. The catalogue keeps no order in its lists. */
export function sameValue(one: unknown, other: unknown): boolean {
  // Most are equal in the same order, and to order them takes seven times as long.
  return (
    JSON.stringify(one) === JSON.stringify(other) ||
    JSON.stringify(one, withoutOrder) === JSON.stringify(other, withoutOrder)
  );
}

/** The order of numbers means something: they are start and end of coordinates. */
function withoutOrder(_key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    return typeof value[0] === 'number'
      ? value
      : value.map((item) => JSON.stringify(item, withoutOrder)).toSorted();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
