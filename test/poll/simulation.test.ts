import { expect, test, vi } from 'vitest';
import { live } from './simulation.ts';

/** Lives to try; `SEEDS=5000 npm test -- test/poll/simulation` tries more. */
const SEEDS = Number(process.env.SEEDS ?? 40);
vi.setConfig({ testTimeout: 60_000 + SEEDS * 1000 });

test('no life without crashes loses, repeats or contradicts anything', async () => {
  const troubles = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const life = await live({ seed, crashes: 0 });
    for (const trouble of Object.keys(life.troubles)) troubles.add(trouble);
    const { lost, clickFaults, repeats, contradictions, markFaults, disorder } = life;
    expect({ seed, lost, clickFaults, repeats, contradictions, markFaults, disorder }).toStrictEqual({
      seed,
      lost: [],
      clickFaults: [],
      repeats: 0,
      contradictions: [],
      markFaults: [],
      disorder: [],
    });
  }
  expect([...troubles].sort()).toStrictEqual(['click', 'hidden or revealed', 'late row', 'tie']);
});

test('without an overlap to fall back on, nothing is lost between two pages', async () => {
  for (let seed = 1; seed <= 2 * SEEDS; seed++) {
    const life = await live({ seed, crashes: 0.02, overlap: false });
    const { lost, clickFaults, contradictions, markFaults } = life;
    expect({ seed, lost, clickFaults, contradictions, markFaults }).toStrictEqual({
      seed,
      lost: [],
      clickFaults: [],
      contradictions: [],
      markFaults: [],
    });
  }
});

test('a life with crashes loses nothing, and repeats in equal words at most a chunk for each', async () => {
  const crashed = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const life = await live({ seed, crashes: 0.04 });
    for (const trouble of Object.keys(life.troubles)) crashed.add(trouble);
    const { lost, clickFaults, contradictions, markFaults, disorder } = life;
    expect({ seed, lost, clickFaults, contradictions, markFaults, disorder }).toStrictEqual({
      seed,
      lost: [],
      clickFaults: [],
      contradictions: [],
      markFaults: [],
      disorder: [],
    });
    expect(life.repeats, `seed ${seed}`).toBeLessThanOrEqual(life.crashes * 100);
  }
  for (const step of [
    'record before',
    'record after',
    'publish half',
    'publish after',
    'settle after',
    'advance before',
    'advance after',
  ]) {
    expect([...crashed], 'each kind of crash happened').toContain(`crash: ${step}`);
  }
});

test('a poller that dies at any one step loses nothing (faults 57 to 60)', async () => {
  const whole = await live({ seed: 7, polls: 4, crashAt: Number.POSITIVE_INFINITY });
  expect(whole.crashes).toBe(0);
  let crashes = 0;
  for (let crashAt = 1; ; crashAt++) {
    const life = await live({ seed: 7, polls: 4, crashAt });
    if (life.crashes === 0) break;
    crashes += 1;
    const { lost, contradictions, markFaults } = life;
    expect({ crashAt, lost, contradictions, markFaults }).toStrictEqual({
      crashAt,
      lost: [],
      contradictions: [],
      markFaults: [],
    });
  }
  expect(crashes).toBeGreaterThan(50);
});
