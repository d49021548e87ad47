import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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
