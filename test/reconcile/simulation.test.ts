import { expect, test } from 'vitest';
import { simulateSweeps } from './simulation.ts';

test.each([1, 2, 15, 386])(
  'in run %i each change without a row is published once, and nothing else by the sweep',
  async (seed) => {
    const { missing, surplus, contradictions, contradicted } = await simulateSweeps(seed);
    expect({ missing, surplus, contradictions, contradicted }).toEqual({
      missing: [],
      surplus: [],
      contradictions: [],
      contradicted: [],
    });
  },
);
