import { expect, test } from 'vitest';
import { nothingWrong } from './knowledge-examined.ts';
import { simulateKnowledge } from './knowledge-simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 100);
/** The first one: many seeds can be run in parts. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);

/** A row of an open transaction came after a sweep that had shown another name: by time, nothing led to the last one. */
test.each([
  [234, 0.01],
  [52, 0],
  [1, 0],
])('the seed %d that failed before holds (crashes: %d)', async (seed, crashRate) => {
  expect(await simulateKnowledge(seed, crashRate)).toMatchObject(nothingWrong);
});

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
