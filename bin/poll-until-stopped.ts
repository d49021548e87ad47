import { ServiceError } from '../lambdas/http/service-error.ts';
import type { Io } from './command.ts';
import type { LocalNotifier } from './local/notifier.ts';
import { printable } from './terminal-text.ts';

export interface Watching {
  readonly io: Io;
  /** Milliseconds between two polls. */
  readonly every: number;
  readonly polls?: number;
}

/**
 * Polls until the person stops it. A poll that fails is reported, and the next one goes on from the same mark.
 * @throws what the first poll threw, unless the catalogue may only be down for the moment: settings do not mend themselves
 */
export async function pollUntilStopped(
  notifier: LocalNotifier,
  { io, every, polls }: Watching,
): Promise<void> {
  const { clock, signal, stderr } = io;
  for (let done = 1; !signal.aborted; done++) {
    try {
      const { outcome } = await notifier.poll();
      if (outcome === 'begun') {
        stderr.write(
          'bookmarked the newest row; new events are shown from now on (--from shows older ones)\n',
        );
      }
    } catch (error) {
      if (error === signal.reason) return;
      const forTheMoment = error instanceof ServiceError && error.transient;
      if (done === 1 && !forTheMoment) throw error;
      const message = printable(error instanceof Error ? error.message : String(error));
      stderr.write(`${message} Trying again in ${every / 1000} s.\n`);
    }
    if (done === polls) return;
    await clock.sleep(every, signal).catch(() => {});
  }
}
