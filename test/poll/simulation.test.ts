import { expect, test } from 'vitest';
import { type SimulationRun, simulate } from './simulation.ts';

/** A few runs; `simulation.long.test.ts` searches many more. */
const SEEDS = 4;
/** So many reach every kind of crash. */
const CRASH_SEEDS = 7;

/** What must never happen, under any faults. */
const problemsOf = ({
  lost,
  actionProblems,
  contradictions,
  contradicted,
  markProblems,
  requestsAtRest,
}: SimulationRun) => ({
  lost,
  actionProblems,
  contradictions,
  contradicted,
  markProblems,
  requestsAtRest: requestsAtRest.at(-1),
});
const none = {
  lost: [],
  actionProblems: [],
  contradictions: [],
  contradicted: [],
  markProblems: [],
  requestsAtRest: 1,
};

test('without crashes, nothing is lost, published twice, contradicted or out of order', {
  tags: 'slow',
}, async () => {
  const faults = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulate({ seed, crashes: 0 });
    for (const fault of Object.keys(run.faults)) faults.add(fault);
    const { repeats, disorder } = run;
    expect({ seed, ...problemsOf(run), repeats, disorder }).toStrictEqual({
      seed,
      ...none,
      repeats: 0,
      disorder: [],
    });
  }
  expect([...faults]).toEqual(
    expect.arrayContaining([
      'curator action',
      'lagging Date',
      'late row',
      'overlap changed',
      'page number ignored',
      'panel hidden or shown',
      'tie',
      'tie larger than a page',
      'unplaceable row',
    ]),
  );
});

test('without an overlap, nothing is lost between two pages', { tags: 'slow' }, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await simulate({ seed, crashes: 0.02, overlap: false });
    expect({ seed, ...problemsOf(run) }).toStrictEqual({ seed, ...none });
  }
});

test('with crashes, nothing is lost, and each crash repeats at most a chunk, byte for byte', {
  tags: 'slow',
}, async () => {
  const crashed = new Set<string>();
  for (let seed = 1; seed <= CRASH_SEEDS; seed++) {
    const run = await simulate({ seed, crashes: 0.08 });
    for (const fault of Object.keys(run.faults)) crashed.add(fault);
    const { disorder } = run;
    expect({ seed, ...problemsOf(run), disorder }).toStrictEqual({ seed, ...none, disorder: [] });
    expect(run.repeats, `seed ${seed}`).toBeLessThanOrEqual(run.crashes * 100);
  }
  for (const step of ['record before', 'record after', 'publish half', 'publish after', 'advance before']) {
    expect([...crashed], 'each kind of crash happened').toContain(`crash: ${step}`);
  }
});
