/**
 * Merges sources that are each ordered by `keyOf` into one with the same order; items of one key are given once.
 * Of each source, only as much is read as is needed.
 */
export async function* mergeOrdered<Item>(
  sources: readonly AsyncIterable<Item>[],
  keyOf: (item: Item) => string,
  descending: boolean,
): AsyncGenerator<Item> {
  const heads: { readonly from: AsyncIterator<Item>; item: Item; key: string }[] = [];
  for (const source of sources) {
    const from = source[Symbol.asyncIterator]();
    const { done, value } = await from.next();
    if (!done) heads.push({ from, item: value, key: keyOf(value) });
  }
  const isBefore = (one: string, other: string): boolean => (descending ? one > other : one < other);
  let given: string | undefined;
  while (heads.length > 0) {
    const head = heads.reduce((first, next) => (isBefore(next.key, first.key) ? next : first));
    if (head.key !== given) yield head.item;
    given = head.key;
    const { done, value } = await head.from.next();
    if (done) heads.splice(heads.indexOf(head), 1);
    else [head.item, head.key] = [value, keyOf(value)];
  }
}
