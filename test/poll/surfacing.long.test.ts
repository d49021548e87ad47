import { expect, test } from 'vitest';
import { noProblems, problemsOf, simulateSurfacing } from './surfacing.ts';

/** Simulation runs: `SEEDS=500 npm run test:long -- test/poll/surfacing`. */
const SEEDS = Number(process.env.SEEDS ?? 60);

test('many runs with rows that show up hours and days late lose nothing and publish nothing twice', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulateSurfacing(seed, { crashes: 0.03 });
    expect(problemsOf(run), `seed ${seed}`).toStrictEqual(noProblems);
  }
});
