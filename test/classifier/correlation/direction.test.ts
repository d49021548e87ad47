import { expect, test } from 'vitest';
import { directionOf } from '../../../lambdas/classifier/correlation/subject.ts';

test.each([
  ['none', 'red', 'upgraded'],
  ['red', 'amber', 'upgraded'],
  ['amber', 'green', 'upgraded'],
  ['green', 'amber', 'downgraded'],
  ['red', 'none', 'downgraded'],
  ['none', 'none', 'unchanged'],
  [null, 'green', 'unknown'],
  ['green', null, 'unknown'],
  [null, null, 'unknown'],
] as const)('the direction from %s to %s is %s', (from, to, direction) => {
  expect(directionOf(from, to)).toBe(direction);
});
