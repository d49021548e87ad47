import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  FILE_NAME,
  openStateFile,
  openUnwritableStateFile,
  type StateFile,
} from '../../lambdas/store/sqlite-file.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { lockForPolling } from './lock.ts';
import { LocalStateError } from './state-error.ts';

export const defaultState = '.gene-panel-notifier';

/** A state that this process alone polls with. */
interface PollingState {
  readonly file: StateFile;
  close(): void;
}

/**
 * Opens a state directory for polling; in memory where absent.
 * @throws {LocalStateError | StateError} when it cannot be used
 */
export function openForPolling(directory?: string): PollingState {
  if (directory === undefined) {
    const file = openStateFile();
    return { file, close: () => file.close() };
  }
  const unlock = lockForPolling(directory);
  try {
    const file = openStateFile(directory);
    return {
      file,
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
 * Opens a state directory that polls have filled, to read it; a poll may go on meanwhile.
 * @throws {LocalStateError | StateError} when there is none, or it cannot be used
 */
export function openForReading(directory: string): StateFile {
  if (existsSync(join(directory, FILE_NAME))) {
    try {
      return openStateFile(directory);
    } catch (error) {
      if (!(error instanceof StateError && error.code === 'STATE_UNAVAILABLE')) throw error;
      return openUnwritableStateFile(directory);
    }
  }
  throw new LocalStateError(
    `Opening the state in ${directory}: nothing was kept there. Run a poll or watch with it first, or name another directory with --state.`,
  );
}
