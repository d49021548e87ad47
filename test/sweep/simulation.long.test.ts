import { expect, test } from 'vitest';
import { type SweepRun, simulateSweeps } from './simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 500);

test('each change without a row is published once, and nothing else by the sweep', async () => {
  const runs: SweepRun[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const run = await simulateSweeps(seed);
    expect({ seed, missing: run.missing, surplus: run.surplus, contradictions: run.contradictions }).toEqual({
      seed,
      missing: [],
      surplus: [],
      contradictions: [],
    });
    runs.push(run);
  }
  const sum = (count: (run: SweepRun) => number): number =>
    runs.reduce((total, run) => total + count(run), 0);
  expect(sum(({ silent }) => silent)).toBeGreaterThan(SEEDS);
  expect(sum(({ crashes }) => crashes)).toBeGreaterThan(0);
});
