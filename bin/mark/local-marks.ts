import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { createSqliteDocuments } from '../../lambdas/state/documents-sqlite.ts';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import { cataloguesIn } from '../../lambdas/state/sqlite-catalogues.ts';
import type { StateFile } from '../../lambdas/state/sqlite-file.ts';
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
