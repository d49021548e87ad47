import type { Clock } from '../lambdas/run/clock.ts';

/** The person pressed Ctrl-C, or the process got SIGTERM. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * One press can arrive twice: the terminal signals the launcher and the program it launched, and the launcher
 * passes the signal on; timeout(1) and systemd do the same.
 */
const ONE_PRESS_MS = 500;

/**
 * Aborted, with `Stopped`, by the first SIGINT or SIGTERM that the process gets from now on. The next one ends the
 * process at once, which loses nothing that was published.
 */
export function stopSignal(
  process: Pick<NodeJS.Process, 'on' | 'off' | 'kill' | 'pid'>,
  clock: Pick<Clock, 'now'>,
): AbortSignal {
  const stop = new AbortController();
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (since === undefined) {
      since = clock.now();
      stop.abort(new Stopped(`stopped by ${signal}`));
    } else if (clock.now() - since >= ONE_PRESS_MS) {
      process.off(signal, onSignal);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return stop.signal;
}
