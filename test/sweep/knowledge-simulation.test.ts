import { expect, test } from 'vitest';
import { simulateKnowledge } from './knowledge-simulation.ts';

// In the last one a sweep was killed after it recorded what it found, and before the poller knew of it.
test.each([1, 2, 3, 4, 1627])('in run %i poller and sweep agree about what is so', async (seed) => {
  const { repeated, wrongStarts, unknown, contradictions } = await simulateKnowledge(seed);
  expect({ repeated, wrongStarts, unknown, contradictions }).toEqual({
    repeated: [],
    wrongStarts: [],
    unknown: [],
    contradictions: [],
  });
});
