import { expect, test } from 'vitest';
import { simulateStates } from './simulation.ts';

/** `SEEDS=2000 npm run test:long -- test/panel-states/simulation`. */
const SEEDS = Number(process.env.SEEDS ?? 40);
/** The first one: many seeds can be run in parts. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);

/** Seeds that once failed, by their own or by a fault of the simulation. */
const failedBefore = [
  29, 95, 118, 206, 320, 511, 517, 548, 714, 734, 919, 950, 1015, 1094, 1106, 1121, 1151, 1247, 1300, 1416,
  2014,
];

const crashRates = [0, 0.01];

/** Runs seeds, and returns what happened in all of them together, with what is wrong by seed. */
async function runSeeds(seeds: readonly number[], crashRate: number) {
  const total = { versions: 0, silent: 0, crashes: 0 };
  const wrong: object[] = [];
  for (const seed of seeds) {
    const { forgotten, repeated, untrue, missed, wrongStates, contradicted, denied, ...run } =
      await simulateStates(seed, crashRate);
    const lists = { forgotten, repeated, untrue, missed, wrongStates, contradicted, denied };
    if (Object.values(lists).some(({ length }) => length > 0)) wrong.push({ seed, crashRate, ...lists });
    total.versions += run.versions;
    total.silent += run.silent;
    total.crashes += run.crashes;
  }
  return { ...total, wrong };
}

test.each(crashRates)(
  'over many seeds each version is proven or named, and each difference published once (crashes: %d)',
  async (crashRate) => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);
    const { wrong, versions, silent, crashes } = await runSeeds(seeds, crashRate);
    expect(wrong).toEqual([]);
    expect(versions).toBeGreaterThan(20 * SEEDS);
    expect(silent).toBeGreaterThan(SEEDS);
    expect(crashes > 0).toBe(crashRate > 0);
  },
  // A guard against hanging: thousands of seeds take half an hour.
  Math.max(600_000, 10_000 * SEEDS),
);

test.each(crashRates)('the seeds that failed before hold (crashes: %d)', async (crashRate) => {
  expect((await runSeeds(failedBefore, crashRate)).wrong).toEqual([]);
});
