import { expect, test } from 'vitest';
import { type SweepRun, simulateSweeps } from './simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 100);
/** The first one: many seeds can be run in parts. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);

/** A panel moved across the end of a page between two parts of a reading; a tie was drawn twice as on the page before. */
const failedBefore = [137, 1042];
const seeds = [...failedBefore, ...Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)];

test.each([
  ['', {}],
  [', over days', { days: true }],
  [', over days and with searches of several polls', { days: true, pageSize: 2, searchPages: 5 }],
  [', where the mark is moved back', { movesMark: true }],
])('each change without a row is published once, and nothing else by the sweep%s', async (_kind, options) => {
  const runs: SweepRun[] = [];
  for (const seed of seeds) {
    const run = await simulateSweeps(seed, options);
    const { missing, surplus, contradictions, contradicted } = run;
    expect({ seed, missing, surplus, contradictions, contradicted }).toEqual({
      seed,
      missing: [],
      surplus: [],
      contradictions: [],
      contradicted: [],
    });
    // A run over days begins with a panel that comes back; with small pages, its return takes several polls.
    if ('days' in options) expect(run.surfacing, `seed ${seed}`).toBeGreaterThan(0);
    if ('pageSize' in options) expect(run.awaited, `seed ${seed}`).toBeGreaterThan(0);
    runs.push(run);
  }
  const sum = (count: (run: SweepRun) => number): number =>
    runs.reduce((total, run) => total + count(run), 0);
  expect(sum(({ silent }) => silent)).toBeGreaterThan(SEEDS);
  expect(sum(({ crashes }) => crashes)).toBeGreaterThan(0);
  expect(sum(({ interrupted }) => interrupted)).toBeGreaterThan(0);
});
