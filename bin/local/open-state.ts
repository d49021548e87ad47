import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { showAsOf, unknownAsOf } from '../../lambdas/panels/sqlite-as-of.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import {
  cataloguesIn,
  FILE_NAME,
  openReadableStateFile,
  openStateFile,
  type StateFile,
} from '../../lambdas/store/sqlite-file.ts';
import { LocalStateError } from '../command.ts';
import { type Lock, openLock } from './lock.ts';

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

/** A catalogue whose log a state file follows. */
interface Followed {
  readonly name: string;
  /** Null where an early version began. */
  readonly source: string | null;
  readonly mark: Instant;
}

interface Wanted {
  /** The name that a person gave the catalogue, if any. */
  readonly name?: string | undefined;
  /** The catalogue's address, as its client has it. */
  readonly url: string;
  /** The state directory; absent where the state is kept in memory. */
  readonly state?: string | undefined;
}

/**
 * The name under which a state file follows the catalogue at an address: the one given, else the one that the file has
 * for that address, else the host's in a file that follows none.
 * @throws {LocalStateError} when the file follows another catalogue and no name was given: a new mark would begin at the
 *   newest row, and leave out what the other one has not published
 */
export async function followedName(file: StateFile, { name, url, state }: Wanted): Promise<string> {
  if (name !== undefined) return name;
  const own = new URL(url).host.replace(/[^\w.-]+/g, '-');
  const followed = await followedIn(file);
  const same = followed.find(({ source }) => source === url) ?? followed.find((one) => one.name === own);
  if (same || followed.length === 0) return same?.name ?? own;
  const marks = followed.map(
    (one) => `"${one.name}" at ${one.source}, published up to ${formatInstant(one.mark)}`,
  );
  const where = state === undefined ? '' : ` --state ${state}`;
  const which = followed.length === 1 ? '' : ' --name NAME';
  throw new LocalStateError(
    `Reading ${url}: this state follows ${marks.join('; ')}. Nothing was read or published. If the catalogue has moved to this address: gene-panel-notifier mark${where}${which} --moved-to ${url}. To follow it beside the other one, give it a name: --name ${own}.`,
  );
}

/** A sentence where a state file follows the catalogue already, under another name: the one given begins anew. Else null. */
export async function secondNameWarning(
  file: StateFile,
  { name, url }: Pick<Required<Wanted>, 'name' | 'url'>,
): Promise<string | null> {
  const followed = await followedIn(file);
  const [first] = followed.filter(({ source }) => source === url);
  if (!first || followed.some((one) => one.name === name)) return null;
  return `This state follows ${url} already, as "${first.name}". As "${name}" it begins anew beside that, without its history. To continue there, call it "${first.name}".`;
}

async function followedIn(file: StateFile): Promise<readonly Followed[]> {
  const all = await Promise.all(
    cataloguesIn(file).map(async (name): Promise<readonly Followed[]> => {
      const stored = await createSqliteStore(file, name).load(0n);
      return stored ? [{ name, source: stored.position.source, mark: stored.position.mark }] : [];
    }),
  );
  return all.flat();
}
