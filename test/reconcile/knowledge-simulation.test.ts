import { expect, test } from 'vitest';
import { nothingWrong } from './knowledge-examined.ts';
import { simulateKnowledge } from './knowledge-simulation.ts';

test.each([1, 2, 3])('in run %i poller, sweep and messages agree about what is so', async (seed) => {
  const { sentences, ...run } = await simulateKnowledge(seed);
  expect(run).toMatchObject(nothingWrong);
  expect(sentences).toBeGreaterThan(0);
});
