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

/**
 * Returns for a status from 200 to 299.
 *
 * @throws {ServiceError} `…_UNAUTHORIZED`, `…_FORBIDDEN`, `…_NOT_FOUND` or `…_REQUEST_REFUSED` for any other
 */
export function expectSuccess({ status, fail }: HttpResponse): void {
  if (status >= 200 && status < 300) return;
  if (status === 401) throw fail('UNAUTHORIZED', 'the response is HTTP 401: credentials missing or unknown');
  if (status === 403) throw fail('FORBIDDEN', 'the response is HTTP 403: the caller lacks the right');
  if (status === 404) throw fail('NOT_FOUND', 'the response is HTTP 404: no such resource');
  throw fail('REQUEST_REFUSED', `the response is HTTP ${status}`);
}
