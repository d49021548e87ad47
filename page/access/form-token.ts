import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes the tokens of forms: each holds for one visitor, until the page is started again. */
export function createFormTokens(): (visitor: string) => string {
  const key = randomBytes(32);
  return (visitor) => createHmac('sha256', key).update(visitor).digest('base64url');
}

/** Whether a form sent the token of its visitor; compared in a time that does not depend on the text. */
export function isFormToken(sent: unknown, expected: string): boolean {
  if (typeof sent !== 'string') return false;
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
