import { expect, test } from 'vitest';
import { simulateSurfacing } from './surfacing.ts';

const SEEDS = 4;

test('rows that surface hours and days late are published once, and a log at rest costs one request', {
  tags: 'slow',
}, async () => {
  let surfaced = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulateSurfacing(seed);
    const { lost, doubled, contradictions, requestsAtRest } = run;
    expect({ seed, lost, doubled, contradictions, atRest: requestsAtRest.at(-1) }).toStrictEqual({
      seed,
      lost: [],
      doubled: [],
      contradictions: [],
      atRest: 1,
    });
    expect(run.repeats, `seed ${seed}`).toBeLessThanOrEqual((run.crashes + run.conflicts) * 100);
    surfaced += run.surfaced;
  }
  expect(surfaced).toBeGreaterThan(SEEDS);
});
