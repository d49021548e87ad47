import { AsyncLocalStorage } from 'node:async_hooks';
import type { Visitor } from './access.ts';

const visitors = new AsyncLocalStorage<Visitor>();

/** Answers a request for a visitor; `currentVisitor` returns them meanwhile. */
export const answerFor = <Value>(visitor: Visitor, answer: () => Value): Value =>
  visitors.run(visitor, answer);

/**
 * The visitor whose request is answered now. Every view shows them in its frame.
 * @throws {Error} outside of `answerFor`
 */
export function currentVisitor(): Visitor {
  const visitor = visitors.getStore();
  if (!visitor) throw new Error('no request is answered now');
  return visitor;
}
