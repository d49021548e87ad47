import { expect, test } from 'vitest';
import { simulateKnowledge } from './knowledge-simulation.ts';

test.each([1, 2, 3, 4])('in run %i poller and sweep agree about what is so', async (seed) => {
  const { repeated, wrongStarts, unknown, contradictions } = await simulateKnowledge(seed);
  expect({ repeated, wrongStarts, unknown, contradictions }).toEqual({
    repeated: [],
    wrongStarts: [],
    unknown: [],
    contradictions: [],
  });
});
