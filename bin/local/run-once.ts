import type { Log } from '../../lambdas/run/log.ts';
import { type OpenAccess, openAccess } from '../access.ts';
import { readPace } from '../archive-pace.ts';
import { readCatalogue, required } from '../arguments.ts';
import type { Io } from '../command.ts';
import { logLines } from '../log-lines.ts';
import type { EventOutput } from '../output.ts';
import { readCatalogueOptions } from '../poll-options.ts';
import { type LocalNotifier, startLocalNotifier } from './notifier.ts';
import type { LocalNotifierOptions } from './notifier-options.ts';

type CatalogueValues = Parameters<typeof readCatalogueOptions>[0] &
  Parameters<typeof openAccess>[0] & {
    readonly catalogue?: string | undefined;
    readonly pace?: string | undefined;
  };

/** A catalogue that a command reads once, and how it is reached. */
interface OpenCatalogue
  extends ReturnType<typeof readCatalogueOptions>,
    ReturnType<typeof readPace>,
    OpenAccess {
  readonly url: string;
  readonly log: Log;
  readonly io: Io;
}

/**
 * Opens the catalogue that the options name.
 * @throws {UsageError} when it is missing, or a value is not one that its option takes
 */
export function openCatalogue(values: CatalogueValues, io: Io): OpenCatalogue {
  const url = readCatalogue('--catalogue', required('--catalogue URL', values.catalogue));
  const given = { ...readCatalogueOptions(values), ...readPace(values.pace, url) };
  const log = logLines(io);
  return { ...given, url, log, io, ...openAccess(values, io, log) };
}

interface RunOnceOptions extends Omit<LocalNotifierOptions, keyof OpenCatalogue> {
  /** Closed in the end. */
  readonly output: Pick<EventOutput, 'close'>;
}

/** Starts a notifier, lets it work, and closes it. Returns the exit code of `work`, or 130 where the run was stopped. */
export async function runOnce(
  { close, ...catalogue }: OpenCatalogue,
  { output, ...options }: RunOnceOptions,
  work: (notifier: LocalNotifier) => Promise<number>,
): Promise<number> {
  const { io } = catalogue;
  let notifier: LocalNotifier | undefined;
  try {
    notifier = await startLocalNotifier({ ...catalogue, ...options });
    return await work(notifier);
  } catch (error) {
    if (error !== io.signal.reason) throw error;
    io.stderr.write('stopped; nothing is lost: the same command continues from here\n');
    return 130;
  } finally {
    await notifier?.close();
    output.close();
    await close();
  }
}
