import { createSqliteDocuments } from '../../lambdas/store/documents-sqlite.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { cataloguesIn } from '../../lambdas/store/sqlite-catalogues.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { MarkedState } from './marked-state.ts';

/** The marks in the state file of a directory. */
export function localMarks(file: StateFile, directory: string): MarkedState {
  return {
    place: `the state in ${directory}`,
    catalogues: cataloguesIn(file),
    store: (catalogue) => createSqliteStore(file, catalogue),
    documents: (catalogue) => createSqliteDocuments(file, catalogue),
    history: createSqliteHistory(file),
    replayOptions: `--state ${directory}`,
    close: () => file.close(),
  };
}
