import type { Instant } from '../run/instant.ts';
import type { LogPage } from './log-page.ts';

/** Pages with longer texts are not kept while others are read, in UTF-16 units: a usual page has 50,000. */
const LONGEST_KEPT = 500_000;

/** Whether a page may be kept while others are read: many are, and their texts could fill the memory. */
export const isKept = ({ length }: LogPage): boolean => length <= LONGEST_KEPT;

/** A search for the page where the rows since an instant begin. */
export interface FloorSearch {
  /** Null past the end. */
  readonly readPage: (number: number) => Promise<LogPage | null>;
  readonly first: LogPage;
  readonly floor: Instant;
  /** How many rows the log is expected to have since the floor; null where unknown. */
  readonly expected: number | null;
}

/** The page at which reading begins. */
export interface FoundFloor {
  /** Number of a page that has rows older than the floor, or is the last. */
  readonly number: number;
  /** The pages that were read, by number; those with long texts are read again instead of kept. */
  readonly pages: Map<number, LogPage>;
}

/**
 * Finds the page of the floor. It starts where the floor is expected, else at page 2, and goes on in steps that
 * double. Then it halves the pages between. It requests no page past the end, unless the catalogue's count is wrong.
 */
export async function findFloor({ readPage, first, floor, expected }: FloorSearch): Promise<FoundFloor> {
  const pages = new Map([[1, first]]);
  const reachesFloor = async (number: number): Promise<boolean> => {
    const page = pages.get(number) ?? (await readPage(number));
    if (page && isKept(page)) pages.set(number, page);
    return !page || page.oldest < floor || !page.hasNext;
  };
  if (await reachesFloor(1)) return { number: 1, pages };

  const size = first.received.length;
  const last = first.count === null ? Number.POSITIVE_INFINITY : Math.ceil(first.count / size);
  let number = Math.max(2, Math.min(Math.floor((expected ?? 0) / size) + 1, last));
  let above = number - 1;
  for (let step = 1; !(await reachesFloor(number)); step *= 2) {
    above = number;
    number = number < last ? Math.min(number + step, last) : number + step;
  }
  while (number - above > 1) {
    const middle = Math.floor((above + number) / 2);
    if (await reachesFloor(middle)) number = middle;
    else above = middle;
  }
  return { number, pages };
}
