import type { Answer } from './answer.ts';

/** Fails for an answer that is no success, with the condition that its status means. */
export function expectSuccess({ status, fail }: Answer): void {
  if (status >= 200 && status < 300) return;
  if (status === 401) throw fail('UNAUTHORIZED', 'the answer is HTTP 401: who asks is not known');
  if (status === 403) throw fail('FORBIDDEN', 'the answer is HTTP 403: who asks may not do so');
  if (status === 404) throw fail('NOT_FOUND', 'the answer is HTTP 404: nothing is there');
  throw fail('REQUEST_REFUSED', `the answer is HTTP ${status}`);
}
