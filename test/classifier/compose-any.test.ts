import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyActivity } from '../sandbox/software/arbitraries.ts';
import { bothWays } from './both-ways.ts';

test('reading plainly and weighing every piece come to the same on whatever the software writes', () => {
  let count = 0;
  fc.assert(
    fc.property(anyActivity, ({ rows }) => {
      for (const { plain, composed } of rows.flatMap(bothWays)) {
        count += 1;
        expect(composed).toEqual(plain);
      }
    }),
    { numRuns: 500, seed: 1 },
  );
  expect(count).toBeGreaterThan(100);
});
