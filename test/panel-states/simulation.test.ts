import { expect, test } from 'vitest';
import { simulateStates } from './simulation.ts';

test('kills, silent changes, hidden panels and late rows leave each version proven or named', async () => {
  const run = await simulateStates(1, 0.02);
  const { forgotten, repeated, untrue, missed, wrongStates, contradicted } = run;
  expect({ forgotten, repeated, untrue, missed, wrongStates, contradicted }).toEqual({
    forgotten: [],
    repeated: [],
    untrue: [],
    missed: [],
    wrongStates: [],
    contradicted: [],
  });
  expect(run.versions).toBeGreaterThan(15);
});
