import { expect, test } from 'vitest';
import { simulateStates } from './simulation.ts';

test('kills, silent changes, hidden panels and late rows leave each version proven or named', async () => {
  const run = await simulateStates(1, 0.02);
  const { forgotten, repeated, untrue, falseEvents, overstated, missed, wrongStates, contradicted, denied } =
    run;
  expect({
    forgotten,
    repeated,
    untrue,
    falseEvents,
    overstated,
    missed,
    wrongStates,
    contradicted,
    denied,
  }).toEqual({
    forgotten: [],
    repeated: [],
    untrue: [],
    falseEvents: [],
    overstated: [],
    missed: [],
    wrongStates: [],
    contradicted: [],
    denied: [],
  });
  expect(run.versions).toBeGreaterThan(15);
});
