import { expectSuccess } from './expect-success.ts';
import { readJson } from './json.ts';
import type { HttpResponse } from './response.ts';

/** A page of a list. Source: docs/interfaces.md, "List envelope". */
export interface ListPage {
  /** As received. */
  readonly items: readonly unknown[];
  /** Items on all pages together; null where the server's value is unusable. */
  readonly count: number | null;
  /** Whether `next` is set. Its address is never used: page addresses are built from the base. */
  readonly hasNext: boolean;
  readonly serverTime: number | null;
}

/**
 * Reads a response as a page of a list.
 *
 * @throws {ServiceError} `…_LIST_WRONG` when it is not one, and as `expectSuccess` and `readJson` do
 */
export function readPage(response: HttpResponse): ListPage {
  expectSuccess(response);
  const page = readJson(response);
  if (typeof page !== 'object' || page === null || !('results' in page)) {
    throw response.fail('LIST_WRONG', 'the response is JSON, but not a page of a list: "results" is missing');
  }
  const { results } = page;
  if (!Array.isArray(results)) {
    throw response.fail('LIST_WRONG', 'the "results" of the page are not a list');
  }
  const count = 'count' in page ? page.count : null;
  const next = 'next' in page ? page.next : null;
  return {
    items: results,
    count: typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null,
    hasNext: Boolean(next),
    serverTime: response.serverTime,
  };
}
