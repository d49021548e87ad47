import type { Io } from './command.ts';

/** How far long work has come, on standard error, and only where that is a terminal. */
export interface Progress {
  add(items: number): void;
  end(): void;
}

const EVERY_MS = 200;

/** `done` says what has happened to the items; `total` is null where nobody knows it. */
export function createProgress({ stderr, clock }: Io, done: string, total: number | null): Progress {
  if (!stderr.isTTY) return { add: () => {}, end: () => {} };
  let count = 0;
  let shown = clock.now();
  let wrote = false;
  return {
    add: (items) => {
      count += items;
      if (clock.now() - shown < EVERY_MS) return;
      shown = clock.now();
      wrote = true;
      stderr.write(`\r\u001b[K${count}${total === null ? '' : ` of ${total}`} ${done}`);
    },
    end: () => {
      if (wrote) stderr.write('\r\u001b[K');
    },
  };
}
