import type { Io } from './command.ts';

/** How far long work has come, on standard error: in place on a terminal, elsewhere a line every ten seconds. */
export interface Progress {
  /** @param total null where unknown */
  show(done: number, total: number | null): void;
  end(): void;
}

const TERMINAL_MS = 200;
const ELSEWHERE_MS = 10_000;
/** A rate that was measured over a shorter time says too little about the time left. */
const RATE_MS = 2_000;

/** @param items what is counted, such as `activities` */
export function createProgress({ stderr, clock }: Pick<Io, 'stderr' | 'clock'>, items: string): Progress {
  const [every, before, after] = stderr.isTTY ? [TERMINAL_MS, '\r\u001b[K', ''] : [ELSEWHERE_MS, '', '\n'];
  let began: { readonly at: number; readonly done: number } | undefined;
  let shown = Number.NEGATIVE_INFINITY;
  let wrote = false;
  return {
    show(done, total) {
      const now = clock.now();
      if (!began || done < began.done) began = { at: now, done };
      if (!stderr.isTTY && shown === Number.NEGATIVE_INFINITY) shown = now;
      if (now - shown < every) return;
      shown = now;
      wrote = true;
      const left = total === null ? null : secondsLeft(done - began.done, total - done, now - began.at);
      const parts = [
        `${whole(done)}${total === null ? '' : ` of ${whole(total)}`} ${items}`,
        total !== null && total > 0 && `${Math.floor((100 * done) / total)} %`,
        left !== null && `about ${durationOf(left)} left`,
      ];
      stderr.write(`${before}${parts.filter(Boolean).join(', ')}${after}`);
    },
    end() {
      if (wrote && stderr.isTTY) stderr.write(before);
      wrote = false;
      // The next work is timed from its own start, so that a short one shows nothing.
      began = undefined;
      shown = Number.NEGATIVE_INFINITY;
    },
  };
}

function secondsLeft(done: number, left: number, milliseconds: number): number | null {
  if (milliseconds < RATE_MS || done <= 0) return null;
  return Math.max(1, Math.round(((left / done) * milliseconds) / 1000));
}

const whole = (count: number): string => count.toLocaleString('en-GB');

function durationOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
