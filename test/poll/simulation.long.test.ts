import { expect, test } from 'vitest';
import { simulate } from './simulation.ts';

/** Simulation runs of each kind: `SEEDS=5000 npm run test:long -- test/poll`. */
const SEEDS = Number(process.env.SEEDS ?? 200);
/** The first one: many seeds can be run in parts. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);

const never = {
  lost: [],
  actionProblems: [],
  contradictions: [],
  contradicted: [],
  markProblems: [],
  requestsAtRest: 1,
};

test.each([
  ['without crashes', { crashes: 0 }],
  ['with crashes', { crashes: 0.04 }],
  ['without an overlap', { crashes: 0.02, overlap: false }],
])('many runs %s lose nothing, contradict nothing and rest at one request', async (_kind, options) => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const run = await simulate({ seed, ...options });
    const { lost, actionProblems, contradictions, contradicted, markProblems, requestsAtRest } = run;
    expect({
      seed,
      lost,
      actionProblems,
      contradictions,
      contradicted,
      markProblems,
      requestsAtRest: requestsAtRest.at(-1),
    }).toStrictEqual({ seed, ...never });
    expect(run.repeats, `seed ${seed}`).toBeLessThanOrEqual(run.crashes * 100);
    if (!('overlap' in options)) expect(run.disorder, `seed ${seed}`).toStrictEqual([]);
  }
});

test('a poller that dies at any one step loses nothing', async () => {
  const whole = await simulate({ seed: 7, polls: 4, crashAt: Number.POSITIVE_INFINITY });
  expect(whole.crashes).toBe(0);
  let crashes = 0;
  for (let crashAt = 1; ; crashAt++) {
    const run = await simulate({ seed: 7, polls: 4, crashAt });
    if (run.crashes === 0) break;
    crashes += 1;
    const { lost, contradictions, contradicted, markProblems } = run;
    expect({ crashAt, lost, contradictions, contradicted, markProblems }).toStrictEqual({
      crashAt,
      lost: [],
      contradictions: [],
      contradicted: [],
      markProblems: [],
    });
  }
  expect(crashes).toBeGreaterThan(50);
});
