import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import { cataloguesIn } from '../../lambdas/state/sqlite-catalogues.ts';
import type { StateFile } from '../../lambdas/state/sqlite-file.ts';
import type { NamedPlace } from '../unknown-names.ts';

/** The names that the events and listings of a state file have. */
export function namedPlaceOf(file: StateFile): NamedPlace {
  return {
    history: createSqliteHistory(file),
    isLocal: true,
    async listings() {
      const all = await Promise.all(
        cataloguesIn(file).map((catalogue) => createSqliteStore(file, catalogue).listing()),
      );
      return all.filter((listing) => listing !== null);
    },
  };
}
