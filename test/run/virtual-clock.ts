import type { Clock } from '../../lambdas/run/clock.ts';
import { noon } from './test-clock.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock whose time passes only while everything waits: simulated hours take as long as their work. */
export interface VirtualClock extends Clock {
  /** A signal that is aborted after this many milliseconds of the clock. */
  limit(milliseconds: number): AbortSignal;
  /** Runs some work to its end, and lets time pass whenever it waits. */
  drive<Value>(work: Promise<Value>): Promise<Value>;
}

/** Long enough for work on stores in memory to reach its next wait. */
const TURNS = 3;

/** A virtual clock that starts at noon. */
export function createVirtualClock({ now: start = noon } = {}): VirtualClock {
  const timers: Timer[] = [];
  let now = start;
  let drawn = 0;
  const add = (milliseconds: number, fire: () => void): Timer => {
    const timer = { at: now + milliseconds, fire };
    timers.push(timer);
    return timer;
  };
  const remove = (timer: Timer): void => {
    const place = timers.indexOf(timer);
    if (place >= 0) timers.splice(place, 1);
  };
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => now,
    random: () => {
      drawn += 1;
      return (drawn * 0.618_033_988_749) % 1;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = add(milliseconds, resolve);
        signal?.addEventListener('abort', () => {
          remove(timer);
          reject(signal.reason);
        });
      }),
    limit(milliseconds) {
      const controller = new AbortController();
      add(milliseconds, () => controller.abort(new Error('The time is over')));
      return controller.signal;
    },
    async drive(work) {
      let done = false;
      const end = (): void => {
        done = true;
      };
      work.then(end, end);
      for (await settled(); !done; await settled()) {
        const next = timers.toSorted((one, other) => one.at - other.at)[0];
        if (!next) continue;
        remove(next);
        now = Math.max(now, next.at);
        next.fire();
      }
      return work;
    },
  };
}
