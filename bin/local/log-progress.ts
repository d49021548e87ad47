import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import type { Progress } from '../progress.ts';

/**
 * The catalogue, with progress for the pages of its log that are read one after the other. A backlog is read from its
 * oldest page to the newest; the number of the oldest page says how much there is.
 */
export function withProgress(catalogue: Catalogue, progress: Progress): Catalogue {
  let first = 1;
  let lowest = 1;
  let size = 0;
  const activities: Catalogue['activities'] = async (number) => {
    const page = await catalogue.activities(number);
    if (!page) return page;
    size = Math.max(size, page.rows.length);
    // A page is read again beside the next one, where rows moved between them.
    if (number === lowest || number === lowest + 1) return page;
    // The newest page begins a poll, or ends the backlog.
    const isNext = number > 1 && number === lowest - 1;
    if (!isNext) first = number;
    lowest = number;
    if (isNext) progress.show((first - number) * size, first * size);
    return page;
  };
  return {
    ...catalogue,
    activities,
    get traffic() {
      return catalogue.traffic;
    },
  };
}
