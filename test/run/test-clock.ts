import type { Clock } from '../../lambdas/run/clock.ts';

/** A sleep that some code asked for. */
interface Sleep {
  readonly milliseconds: number;
  /** Ends the sleep. */
  wake(): void;
}

/** A clock that stands still until something sleeps, or a test lets time pass. */
export interface TestClock extends Clock {
  /** The milliseconds of each sleep so far. */
  readonly sleeps: readonly number[];
  /** Lets this many milliseconds pass. */
  pass(milliseconds: number): void;
  /** The sleeps in turn; waits for the next one where none has begun. */
  nextSleep(): Promise<Sleep>;
}

interface TestClockOptions {
  /** Milliseconds since the epoch. */
  readonly now?: number;
  /** Numbers in [0, 1); by default each differs from the others, so that they can make identifiers. */
  readonly random?: () => number;
  /** Whether a sleep lasts until the test wakes it. Other sleeps move the time on and end at once. */
  readonly wokenByHand?: boolean;
}

/** 2026-11-20T12:00:00Z, when the clock of each test starts. */
export const noon = Date.UTC(2026, 10, 20, 12);

/** The clock of tests. No time passes in the real world. */
export function createTestClock({
  now: start = noon,
  random = distinctNumbers(),
  wokenByHand = false,
}: TestClockOptions = {}): TestClock {
  const sleeps: number[] = [];
  const begun: Sleep[] = [];
  const waiting: ((sleep: Sleep) => void)[] = [];
  let now = start;
  return {
    sleeps,
    now: () => now,
    random,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        const sleep = { milliseconds, wake: resolve };
        sleeps.push(milliseconds);
        const next = waiting.shift();
        if (next) next(sleep);
        else begun.push(sleep);
        if (wokenByHand) return;
        now += milliseconds;
        resolve();
      }),
    nextSleep: () => {
      const sleep = begun.shift();
      return sleep ? Promise.resolve(sleep) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

function distinctNumbers(): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return (drawn * 0.618_033_988_749) % 1;
  };
}
