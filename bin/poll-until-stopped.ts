import type { Io } from './command.ts';
import type { LocalNotifier } from './local/notifier.ts';
import { printable } from './terminal-text.ts';

export interface Watching {
  readonly io: Io;
  /** Milliseconds between two polls. */
  readonly every: number;
  readonly polls?: number;
}

/** Polls until the person stops it. A poll that fails is told; the next one goes on from the same mark. */
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
          'began at the newest row; what is new from now on is shown (--from shows older events)\n',
        );
      }
    } catch (error) {
      if (error === signal.reason) return;
      // A wrong setting will not mend itself.
      if (done === 1) throw error;
      stderr.write(`${printable(error instanceof Error ? error.message : String(error))}\n`);
    }
    if (done === polls) return;
    await clock.sleep(every, signal).catch(() => {});
  }
}
