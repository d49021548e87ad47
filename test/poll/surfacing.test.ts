import { expect, test } from 'vitest';
import { noProblems, problemsOf, simulateSurfacing } from './surfacing.ts';

const SEEDS = 4;

test('rows that show up hours and days late are published once, and a log at rest costs one request', {
  tags: 'slow',
}, async () => {
  let surfaced = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulateSurfacing(seed);
    expect(problemsOf(run), `seed ${seed}`).toStrictEqual(noProblems);
    expect(run.repeats, `seed ${seed}`).toBeLessThanOrEqual((run.crashes + run.conflicts) * 100);
    surfaced += run.surfaced;
  }
  expect(surfaced).toBeGreaterThan(SEEDS);
});
