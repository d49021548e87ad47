import { setImmediate as turn } from 'node:timers/promises';

/** One process of the notifier, which may be killed at any of its steps. */
export interface Life {
  /** Waits for its turn among the other processes; never resolves once the process is dead. */
  step(): Promise<void>;
  /** Steps that this process takes from now on, until it dies; for ever where this is never called. */
  dieAfter(steps: number): void;
  readonly isDead: boolean;
  /** The result of some work, or null where the process died in it. */
  until<Value>(work: Promise<Value>): Promise<Value | null>;
}

/** Turns for which a step may wait: mostly none, sometimes so many that another process does all its work. */
const WAITS = [0, 0, 0, 0, 1, 1, 2, 3, 8, 40];

/** A process that works until `dieAfter`. What it waits for when it dies never goes on. */
export function createLife(random: () => number): Life {
  let left = Number.POSITIVE_INFINITY;
  let dead = false;
  let die = (): void => {};
  const died = new Promise<null>((resolve) => {
    die = () => resolve(null);
  });
  return {
    get isDead() {
      return dead;
    },
    dieAfter(steps) {
      left = steps;
    },
    async step() {
      if (!dead && left-- <= 0) {
        dead = true;
        die();
      }
      if (dead) return new Promise(() => {});
      for (let waits = WAITS[Math.floor(random() * WAITS.length)] ?? 0; waits > 0; waits -= 1) await turn();
      if (dead) return new Promise(() => {});
    },
    until: (work) => Promise.race([work, died]),
  };
}
