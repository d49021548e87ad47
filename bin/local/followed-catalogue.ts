import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { cataloguesIn, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { LocalStateError } from './state-error.ts';

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
