import { expect, test } from 'vitest';
import { sameValue } from '../../lambdas/differences/difference.ts';

test.each([
  ['equal texts', 'R59', 'R59', true],
  ['different texts', 'R59', 'R5', false],
  ['no value and an empty text', null, '', false],
  ['lists of texts in another order', ['R59', 'R5'], ['R5', 'R59'], true],
  ['lists of objects in another order', [{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], true],
  ['a list with one more', ['R59'], ['R59', 'R59'], false],
  ['properties in another order', { a: ['x', 'y'], b: 1 }, { b: 1, a: ['y', 'x'] }, true],
  ['start and end exchanged', [100, 200], [200, 100], false],
])('%s', (_case, one, other, same) => {
  expect(sameValue(one, other)).toBe(same);
});
