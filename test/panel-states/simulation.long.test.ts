import { expect, test } from 'vitest';
import { simulateStates } from './simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 20);
/** The first one: many seeds can be run in parts. */
const FROM = Number(process.env.FROM ?? 1);

test.each([0, 0.01])(
  'over many seeds each version is proven or named, and each difference published once (crashes: %d)',
  async (crashRate) => {
    let [versions, silent, crashes] = [0, 0, 0];
    for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
      const run = await simulateStates(seed, crashRate);
      const { forgotten, repeated, untrue, missed, wrongStates } = run;
      expect({ seed, forgotten, repeated, untrue, missed, wrongStates }).toEqual({
        seed,
        forgotten: [],
        repeated: [],
        untrue: [],
        missed: [],
        wrongStates: [],
      });
      versions += run.versions;
      silent += run.silent;
      crashes += run.crashes;
    }
    expect(versions).toBeGreaterThan(20 * SEEDS);
    expect(silent).toBeGreaterThan(SEEDS);
    expect(crashes > 0).toBe(crashRate > 0);
  },
);
