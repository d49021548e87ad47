/** Whether two values of listings are equal. The catalogue keeps no order in its lists. */
export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, withoutOrder) === JSON.stringify(other, withoutOrder);
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
