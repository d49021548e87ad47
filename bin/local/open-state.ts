import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { showAsOf, unknownAsOf } from '../../lambdas/panels/sqlite-as-of.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import {
  FILE_NAME,
  openReadableStateFile,
  openStateFile,
  type StateFile,
} from '../../lambdas/store/sqlite-file.ts';
import { type Lock, openLock } from './lock.ts';
import { LocalStateError } from './state-error.ts';

export const defaultState = '.gene-panel-notifier';

/** A state that this process reads and writes, beside others. */
interface OpenState {
  readonly file: StateFile;
  /** Does work that publishes rows and listings while no other process does. */
  publishing<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Proves while no other process does. */
  readonly proving: Pick<Lock, 'take' | 'isAwaited' | 'hold' | 'release'>;
  close(): void;
}

/** A state in memory is that of this process alone. */
const alone: Pick<Lock, 'take' | 'isAwaited' | 'hold' | 'release'> = {
  take: () => true,
  isAwaited: () => false,
  hold: (work) => work(),
  release: () => {},
};

interface StateUser {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Whether this process watches: one at a time does, and sends messages. */
  readonly watches?: boolean;
}

/**
 * Opens a state directory for what publishes; in memory where absent.
 * @throws {LocalStateError | StateError} when it cannot be used, or another process watches, too
 */
export function openState(directory: string | undefined, { watches = false, ...user }: StateUser): OpenState {
  if (directory === undefined) {
    const file = openStateFile(undefined, user.clock);
    return { file, publishing: alone.hold, proving: alone, close: () => file.close() };
  }
  const locks: Lock[] = [];
  const lock = (work: Parameters<typeof openLock>[1]): Lock => {
    const opened = openLock(directory, work, user);
    locks.push(opened);
    return opened;
  };
  const unlock = (): void => {
    for (const one of locks) one.close();
  };
  try {
    if (watches) lock('watching').demand();
    const [publishing, proving] = [lock('publishing'), lock('proving')];
    const file = openStateFile(directory, user.clock);
    return {
      file,
      publishing: publishing.hold,
      proving,
      close() {
        file.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens a state directory while no other process watches or publishes.
 * @throws {LocalStateError | StateError} when one does, or it cannot be used
 */
export function openAlone(directory: string, clock: Clock): Pick<OpenState, 'file' | 'close'> {
  const publishing = openLock(directory, 'publishing', { clock });
  try {
    publishing.demand();
    const { file, close } = openState(directory, { clock, watches: true });
    return {
      file,
      close() {
        close();
        publishing.close();
      },
    };
  } catch (error) {
    publishing.close();
    throw error;
  }
}

/**
 * Opens a state directory that polls have filled, to read it; a poll may go on meanwhile.
 * @param asOf shows it as it was then
 * @throws {LocalStateError | StateError} when there is none, it cannot be used, or what it held then is unknown
 */
export function openForReading(directory: string, asOf?: Instant): StateFile {
  const file = openKept(directory);
  if (asOf === undefined) return file;
  try {
    const why = unknownAsOf(file, asOf);
    if (why !== null)
      throw new LocalStateError(
        `Answering as of ${formatInstant(asOf)} from the state in ${directory}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
      );
    showAsOf(file, asOf);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function openKept(directory: string): StateFile {
  if (existsSync(join(directory, FILE_NAME))) return openReadableStateFile(directory);
  throw new LocalStateError(
    `Opening the state in ${directory}: nothing was kept there. Run a poll or watch with it first, or name another directory with --state.`,
  );
}
