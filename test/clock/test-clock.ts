import type { Clock } from '../../lambdas/clock/clock.ts';

/** A clock that stands still until something sleeps, or a test lets time pass. */
export interface TestClock extends Clock {
  /** The milliseconds of each sleep so far. */
  readonly sleeps: readonly number[];
  /** Lets this many milliseconds pass. */
  pass(milliseconds: number): void;
}

interface TestClockOptions {
  /** Milliseconds since the epoch. */
  readonly now?: number;
  readonly random?: () => number;
}

const START = Date.UTC(2026, 0, 31, 12);

/** The clock of tests: no time passes but by sleeping, which takes none. */
export function createTestClock({
  now: start = START,
  random = () => 0.5,
}: TestClockOptions = {}): TestClock {
  const sleeps: number[] = [];
  let now = start;
  return {
    sleeps,
    now: () => now,
    random,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      sleeps.push(milliseconds);
      now += milliseconds;
    },
  };
}
