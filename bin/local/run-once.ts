import type { Io } from '../command.ts';
import { type LocalNotifier, startLocalNotifier } from './notifier.ts';

interface RunOnceOptions {
  /** Gives the options of the notifier; what is wrong with them is thrown once everything can be closed. */
  readonly options: () => Parameters<typeof startLocalNotifier>[0];
  readonly io: Io;
  /** Closes what was opened for the run. */
  readonly close: () => Promise<void>;
}

/** Starts a notifier, lets it work, and closes it. Gives the exit code of `work`, or 130 where the run was stopped. */
export async function runOnce(
  { options, io, close }: RunOnceOptions,
  work: (notifier: LocalNotifier) => Promise<number>,
): Promise<number> {
  let notifier: LocalNotifier | undefined;
  try {
    notifier = await startLocalNotifier(options());
    return await work(notifier);
  } catch (error) {
    if (error !== io.signal.reason) throw error;
    io.stderr.write('stopped; nothing is lost: the same command continues from here\n');
    return 130;
  } finally {
    await notifier?.close();
    await close();
  }
}
