import type { Answer } from './answer.ts';
import { expectSuccess } from './expect-success.ts';
import { readJson } from './json.ts';

/** A page of one of the catalogue's lists (interface specification, "Paginated list envelope"). */
export interface ListPage {
  /** As received. */
  readonly items: readonly unknown[];
  /** Items over all pages; null where what was sent is unusable. */
  readonly count: number | null;
  /** All that `next` is asked for: the addresses of pages are built from the base. */
  readonly hasNext: boolean;
  readonly serverTime: number | null;
}

/** Reads a successful answer as a page. Fails with `…_LIST_WRONG` and as `expectSuccess` and `readJson` do. */
export function readPage(answer: Answer): ListPage {
  expectSuccess(answer);
  const page = readJson(answer);
  if (typeof page !== 'object' || page === null || !('results' in page)) {
    throw answer.fail('LIST_WRONG', 'the answer is JSON, but no page of a list: it has no "results"');
  }
  const { results } = page;
  if (!Array.isArray(results)) {
    throw answer.fail('LIST_WRONG', 'the "results" of the page are no list');
  }
  const count = 'count' in page ? page.count : null;
  const next = 'next' in page ? page.next : null;
  return {
    items: results,
    count: typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null,
    hasNext: Boolean(next),
    serverTime: answer.serverTime,
  };
}
