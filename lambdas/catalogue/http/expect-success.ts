import type { HttpResponse } from './response.ts';

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
