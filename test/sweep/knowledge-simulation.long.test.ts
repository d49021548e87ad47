import { expect, test } from 'vitest';
import { simulateKnowledge } from './knowledge-simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 100);
/** The first one: many seeds can be run in parts. */
const FROM = Number(process.env.FROM ?? 1);

test.each([0, 0.01])(
  'over many seeds poller and sweep agree about what is so (crashes: %d)',
  async (crashRate) => {
    let [heldOpen, silent, crashes] = [0, 0, 0];
    for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
      const run = await simulateKnowledge(seed, crashRate);
      const { repeated, wrongStarts, unknown, contradictions } = run;
      expect({ seed, repeated, wrongStarts, unknown, contradictions }).toEqual({
        seed,
        repeated: [],
        wrongStarts: [],
        unknown: [],
        contradictions: [],
      });
      heldOpen += run.heldOpen;
      silent += run.silent;
      crashes += run.crashes;
    }
    expect(heldOpen).toBeGreaterThan(SEEDS);
    expect(silent).toBeGreaterThan(SEEDS);
    expect(crashes > 0).toBe(crashRate > 0);
  },
);
