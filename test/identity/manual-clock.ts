import type { Clock } from '../../lambdas/clock/clock.ts';

/** A clock that stands still; a sleep moves it on at once and is kept. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  readonly sleeps: readonly number[];
}

/** 2026-11-20T12:00:00Z. */
export const noon = Date.UTC(2026, 10, 20, 12);

export function manualClock(start = noon): ManualClock {
  const sleeps: number[] = [];
  let now = start;
  let drawn = 0;
  return {
    now: () => now,
    // Different at each call, as identifiers have to be.
    random: () => {
      drawn += 1;
      return (drawn * 0.618_033_988_749) % 1;
    },
    sleep: async (ms) => {
      sleeps.push(ms);
      now += ms;
    },
    advance: (ms) => {
      now += ms;
    },
    sleeps,
  };
}
