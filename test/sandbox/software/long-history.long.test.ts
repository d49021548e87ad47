import { expect, test } from 'vitest';
import { startSoftware } from '../../../sandbox/software/software.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';

test.each([1, 2, 3])('a history of 20,000 rows is made up, with the seed %i', (seed) => {
  const now = Date.UTC(2026, 10, 1) * 1000;
  const { history } = startSoftware({ codeLine: 'au', random: seededRandom(seed), now, history: 20_000 });
  expect(history.length).toBeGreaterThanOrEqual(20_000);
});
