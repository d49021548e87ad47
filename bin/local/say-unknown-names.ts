import type { Filter } from '../../lambdas/filters/filter.ts';
import { printable } from '../../lambdas/run/printable.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
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
    import('../../lambdas/store/history/unknown-names.ts'),
    import('../../lambdas/store/history/sqlite-named-place.ts'),
  ]);
  for (const { sentence } of await unknownNames(namedPlaceOf(file), filter, { found: printed })) {
    stderr.write(`${printable(sentence)}\n`);
  }
}
