import { expect, test } from 'vitest';
import { simulateSurfacing } from './surfacing.ts';

/** Simulation runs: `SEEDS=500 npm run test:long -- test/poll/surfacing`. */
const SEEDS = Number(process.env.SEEDS ?? 60);

test('many runs with rows that surface hours and days late lose nothing and publish nothing twice', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulateSurfacing(seed, { crashes: 0.03 });
    const { lost, doubled, contradictions, requestsAtRest } = run;
    expect({ seed, lost, doubled, contradictions, atRest: requestsAtRest.at(-1) }).toStrictEqual({
      seed,
      lost: [],
      doubled: [],
      contradictions: [],
      atRest: 1,
    });
  }
});
