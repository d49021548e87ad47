import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import type { Progress } from '../progress.ts';

/**
 * The catalogue, while the pages of its log that are read in turn are shown as progress. A backlog is read from its
 * old end, page by page towards the newest; the page where that begins says how much there is.
 */
export function withProgress(catalogue: Catalogue, progress: Progress): Catalogue {
  let previous = 0;
  let first = 0;
  const activities: Catalogue['activities'] = async (number) => {
    const page = await catalogue.activities(number);
    if (!page) return page;
    const isNext = number === previous - 1;
    if (!isNext) first = number;
    previous = number;
    if (isNext && first > 1) {
      const size = page.rows.length;
      progress.show((first - number) * size, first * size);
    }
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
