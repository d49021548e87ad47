import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { makeDirectory, makeOwnFile, refuseLongPath } from '../../lambdas/store/own-files.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import {
  cataloguesIn,
  FILE_NAME,
  openReadableStateFile,
  openStateFile,
  type StateFile,
} from '../../lambdas/store/sqlite-file.ts';
import { sqliteProblem } from '../../lambdas/store/state-error.ts';
import { LocalStateError } from '../command.ts';

/**
 * What one process at a time does with a directory: with a state, publish rows and listings, prove versions, watch; write a tree of
 * files. The operating system releases a lock when its process ends, however that ends. Readers need none.
 */
type Work = 'publishing' | 'proving' | 'watching' | 'writing a tree';

/** The lock of one kind of work in a directory. */
export interface Lock {
  /** Takes the lock; returns whether this process has it now. */
  take(): boolean;
  /** Whether another process waits for it in `hold`: work that has no end gives way. */
  isAwaited(): boolean;
  /** @throws {LocalStateError} when another process has it */
  demand(): void;
  /** Takes the lock, waits for another process that has it, and releases it after the work. */
  hold<Value>(work: () => Promise<Value>): Promise<Value>;
  release(): void;
  /** Releases the lock for good. */
  close(): void;
}

const files: Readonly<Record<Work, readonly [lock: string, holder: string, what: string, option: string]>> = {
  publishing: ['lock.sqlite', 'process', 'state', '--state'],
  proving: ['proving.sqlite', 'proving-process', 'state', '--state'],
  watching: ['watching.sqlite', 'watching-process', 'state', '--state'],
  'writing a tree': ['writing.sqlite', 'writing-process', 'tree', '--export'],
};

const LOOK_EVERY_MS = 250;
/** A process that waits says so at each look; one that was killed is not waited for longer. */
const AWAITED_MS = 8 * LOOK_EVERY_MS;
/** A poll of a backlog and a proof of years take longer: then a person waits for them, or stops them. */
const LONGEST_WAIT_MS = 120_000;

const SQLITE_BUSY = 5;

/** @throws {LocalStateError} when the directory cannot be used */
export function openLock(
  directory: string,
  work: Work,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Lock {
  const [lockName, holderName, what, option] = files[work];
  const [lock, holder] = [join(directory, lockName), join(directory, holderName)];
  const opening = `Opening the ${what} in ${directory}`;
  const attempt = <Value>(action: () => Value): Value => {
    try {
      return action();
    } catch (cause) {
      const { seen, remedy } = sqliteProblem(cause);
      throw new LocalStateError(`${opening}: ${seen}. Nothing was published. ${remedy}`, { cause });
    }
  };
  const waiting = `${holder}-waiting`;
  refuseLongPath(lock);
  const database = attempt(() => {
    makeDirectory(directory);
    makeOwnFile(lock);
    return new DatabaseSync(lock, { timeout: 0 });
  });
  const take = (): boolean =>
    attempt(() => {
      try {
        database.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return false;
        throw error;
      }
      // To read what a process wrote there at its last turn takes less than to write it again.
      if (textOf(holder) !== String(process.pid)) writeFileSync(holder, String(process.pid), { mode: 0o600 });
      return true;
    });
  const release = (): void => {
    if (database.isTransaction) database.exec('ROLLBACK');
  };
  const busy = (): LocalStateError =>
    new LocalStateError(
      `${opening}: process ${processIn(holder)} is using it. Wait for it to end, or choose another directory with ${option}.`,
    );
  return {
    take,
    isAwaited: () => clock.now() - Number(textOf(waiting) ?? 0) < AWAITED_MS,
    demand() {
      if (!take()) throw busy();
    },
    async hold(held) {
      const until = clock.now() + LONGEST_WAIT_MS;
      try {
        while (!take()) {
          if (clock.now() + LOOK_EVERY_MS > until) throw busy();
          writeFileSync(waiting, String(clock.now()), { mode: 0o600 });
          await clock.sleep(LOOK_EVERY_MS, signal);
        }
      } finally {
        rmSync(waiting, { force: true });
      }
      try {
        return await held();
      } finally {
        release();
      }
    },
    release,
    close: () => database.close(),
  };
}

const processIn = (file: string): string => textOf(file) ?? '(unknown)';

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

export const defaultState = '.gene-panel-notifier';

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
 * @throws {LocalStateError | StateError} when there is none, or it cannot be used
 */
export function openForReading(directory: string): StateFile {
  if (existsSync(join(directory, FILE_NAME))) return openReadableStateFile(directory);
  throw new LocalStateError(
    `Opening the state in ${directory}: nothing was kept there. Run a poll or watch with it first, or name another directory with --state.`,
  );
}

/**
 * Opens the same as it was at a time.
 * @throws {LocalStateError | StateError} as well when what it held then is unknown
 */
export async function openAsOf(directory: string, asOf: Instant): Promise<StateFile> {
  const { showAsOf, unknownAsOf } = await import('../../lambdas/panels/sqlite-as-of.ts');
  const file = openForReading(directory);
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
