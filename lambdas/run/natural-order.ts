let collator: Intl.Collator | undefined;

/** Compares two texts as people sort them: `Panel 9` before `Panel 10`. The first collator of a process takes 7 ms: it is made at need. */
export function naturalOrder(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(one, other);
}
