import type { Clock } from '../../../lambdas/clock/clock.ts';

/** A sleep that a caller has requested. */
interface Sleep {
  readonly ms: number;
  wake(): void;
}

/** A clock that advances only by `pass`; callers that sleep are listed and woken by hand. */
export interface StillClock extends Clock {
  pass(ms: number): void;
  readonly sleeps: Sleep[];
  /** The next sleep that is asked for, or that is waiting already. */
  nextSleep(): Promise<Sleep>;
}

export function stillClock(start = Date.UTC(2026, 10, 20, 9)): StillClock {
  let now = start;
  const sleeps: Sleep[] = [];
  const waiting: ((sleep: Sleep) => void)[] = [];
  return {
    sleeps,
    now: () => now,
    random: () => 0.5,
    pass: (ms) => {
      now += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        const sleep = { ms, wake: resolve };
        const next = waiting.shift();
        if (next) next(sleep);
        else sleeps.push(sleep);
      }),
    nextSleep: () => {
      const sleep = sleeps.shift();
      return sleep ? Promise.resolve(sleep) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
