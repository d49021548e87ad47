import { createSqliteStore } from '../state/sqlite.ts';
import { cataloguesIn } from '../state/sqlite-catalogues.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import type { History } from './history.ts';
import { createSqliteHistory } from './sqlite.ts';
import type { NamedPlace } from './unknown-names.ts';

/** The history of a state file, and the names that its events and listings have. */
export function namedPlaceOf(file: StateFile): NamedPlace & { readonly history: History } {
  return {
    history: createSqliteHistory(file),
    isLocal: true,
    async listings() {
      const all = await Promise.all(
        cataloguesIn(file).map(async (catalogue) => {
          const listing = await createSqliteStore(file, catalogue).listing();
          return listing ? [{ catalogue, listing }] : [];
        }),
      );
      return all.flat();
    },
  };
}
