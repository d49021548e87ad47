import { expect, test } from 'vitest';
import { nothingWrong } from './knowledge-examined.ts';
import { simulateKnowledge } from './knowledge-simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 100);
/** The first one: many seeds can be run in parts. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);

test.each([
  [0, {}],
  [0.01, {}],
  [0.01, { movesMark: true }],
])(
  'over many seeds poller, sweep and messages agree about what is so (crashes: %d, %j)',
  async (crashRate, options) => {
    let [heldOpen, silent, crashes, sentences, late] = [0, 0, 0, 0, 0];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const run = await simulateKnowledge(seed, crashRate, options);
      expect({ seed, ...run }).toMatchObject({ seed, ...nothingWrong });
      heldOpen += run.heldOpen;
      silent += run.silent;
      crashes += run.crashes;
      sentences += run.sentences;
      late += run.late;
    }
    process.stdout.write(`${JSON.stringify({ SEEDS, heldOpen, silent, crashes, sentences, late })}\n`);
    expect(heldOpen).toBeGreaterThan(SEEDS);
    expect(silent).toBeGreaterThan(SEEDS);
    expect(sentences).toBeGreaterThan(SEEDS);
    expect(late).toBeGreaterThan(SEEDS);
    expect(crashes > 0).toBe(crashRate > 0);
  },
);
