import { expect, test } from 'vitest';
import { simulateSignOffs } from './sign-off-simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 25);
/** The first one: many seeds can be run in parts. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);

test(
  'over many seeds each sign-off is stated once, with its version, day, state and net change, and messages name it rightly',
  async () => {
    const occasions = new Map<string, number>();
    let [done, stated, compared, read, lies] = [0, 0, 0, 0, 0];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const year = await simulateSignOffs(seed);
      const { repeated, wrong, missing, withdrawn, sentences, states, netChanges, messages, names } = year;
      expect({
        seed,
        repeated,
        wrong,
        missing,
        withdrawn,
        sentences,
        states,
        netChanges,
        messages,
        names,
      }).toEqual({
        seed,
        withdrawn: [],
        repeated: [],
        wrong: [],
        missing: [],
        sentences: [],
        states: [],
        netChanges: [],
        messages: [],
        names: [],
      });
      done += year.done;
      stated += year.stated;
      compared += year.compared;
      read += year.read;
      lies += year.lies;
      for (const [occasion, count] of Object.entries(year.occasions))
        occasions.set(occasion, (occasions.get(occasion) ?? 0) + count);
    }
    // Of few years, some have not every occasion.
    if (SEEDS >= 25) for (const [occasion, count] of occasions) expect(count, occasion).toBeGreaterThan(0);
    expect(done).toBeGreaterThan(10 * SEEDS);
    expect(stated).toBeGreaterThan(SEEDS);
    expect(compared).toBeGreaterThan(SEEDS / 2);
    expect(read).toBeGreaterThan(SEEDS);
    expect(lies).toBeGreaterThan(SEEDS);
  },
  60_000 * SEEDS,
);
