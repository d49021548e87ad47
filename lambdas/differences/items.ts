import { itemsOf } from './values.ts';

/** What is known of a list without order: items that it has, items that it lacks, and whether it has no others. */
export interface Items {
  readonly there: readonly string[];
  readonly gone: readonly string[];
  readonly whole: boolean;
}

interface Moved {
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

/** Nothing is known of the list. */
export const noItems: Items = { there: [], gone: [], whole: false };

/** The list is known as a whole. */
export const wholeList = (items: readonly string[]): Items => ({
  there: [...itemsOf(items)].sort(),
  gone: [],
  whole: true,
});

/** A list with the items that a change added, less those that it removed. */
export function withMoved({ there, gone, whole }: Items, { added = [], removed = [] }: Moved): Items {
  const [more, fewer] = [itemsOf(added), itemsOf(removed)];
  return {
    there: [...new Set([...there.filter((item) => !fewer.has(item)), ...more])].sort(),
    gone: [...new Set([...gone, ...fewer])].filter((item) => !more.has(item)).sort(),
    whole,
  };
}

/** The items that a shown list has and lacks, against what is known of it. */
export function movedItems(
  { there, gone, whole }: Items,
  shown: readonly string[],
): { readonly added: string[]; readonly removed: string[] } {
  const now = itemsOf(shown);
  return {
    added: [...now].filter((item) => (whole ? !there.includes(item) : gone.includes(item))),
    removed: there.filter((item) => !now.has(item)),
  };
}

/** Whether a shown list is what is known of it. */
export function sameItems(known: Items, shown: readonly string[]): boolean {
  const { added, removed } = movedItems(known, shown);
  return added.length + removed.length === 0;
}
