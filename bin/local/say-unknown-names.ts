import type { StateFile } from '../../lambdas/state/sqlite-file.ts';
import type { Filter } from '../../lambdas/subscriptions/filter.ts';
import { printable } from '../../lambdas/text/printable.ts';
import type { Io } from '../command.ts';

interface PrintedNames {
  readonly file: StateFile;
  readonly filter: Filter;
  /** How many events were printed. */
  readonly printed: number;
}

/**
 * Says, after a poll, which names of the filter neither the catalogue's listing nor any event has.
 * @throws {HistoryError | StateError} when the state file cannot be read
 */
export async function sayUnknownNames(
  { file, filter, printed }: PrintedNames,
  { stderr }: Io,
): Promise<void> {
  if (Object.keys(filter).length === 0) return;
  const [{ unknownNames }, { namedPlaceOf }] = await Promise.all([
    import('../../lambdas/history/unknown-names.ts'),
    import('../../lambdas/history/sqlite-named-place.ts'),
  ]);
  for (const { sentence } of await unknownNames(namedPlaceOf(file), filter, { found: printed })) {
    stderr.write(`${printable(sentence)}\n`);
  }
}
