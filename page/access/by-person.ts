import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Whether a person asked: no prefetch, no `HEAD` of a link checker, no stream of changes that a tab keeps open, and no view that a script
 * of another site opened. Browsers state what a person did (https://www.w3.org/TR/fetch-metadata/#sec-fetch-user-header).
 */
export function isByPerson({ method, headers, url }: Pick<Request, 'method' | 'headers' | 'url'>): boolean {
  if (method === 'HEAD' || new URL(url).pathname === '/live') return false;
  const purposes = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'].map((name) => headers.get(name) ?? '');
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return false;
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none' || headers.get('sec-fetch-user') === '?1';
}

/**
 * Makes the tokens of forms: each holds for one visitor.
 * @param key one of this process where absent: then tokens hold until the page is started again
 */
export function createFormTokens(key: Uint8Array = randomBytes(32)): (visitor: string) => string {
  return (visitor) => createHmac('sha256', key).update(visitor).digest('base64url');
}

/** Whether a form sent the token of its visitor; compared in a time that does not depend on the text. */
export function isFormToken(sent: unknown, expected: string): boolean {
  if (typeof sent !== 'string') return false;
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
