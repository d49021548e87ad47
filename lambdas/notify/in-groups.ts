/** The most writes at the same time: more would exceed the smallest capacity of a table. */
const GROUP = 25;

/** Writes each item, a group at a time. */
export async function inGroups<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP)
    await Promise.all(items.slice(start, start + GROUP).map(write));
}
