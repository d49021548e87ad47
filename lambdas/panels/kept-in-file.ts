import type { Clock } from '../run/clock.ts';
import { createSqliteHistory } from '../store/history/sqlite.ts';
import { createSqliteDocuments } from '../store/items-sqlite.ts';
import { createSqliteStore } from '../store/sqlite.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import { createSqliteAnswers, createSqlitePanelStates } from './sqlite-panel-states.ts';

/** What a state file keeps of a catalogue. */
export const keptInFile = (file: StateFile, catalogue: string, { now }: Pick<Clock, 'now'>) => ({
  catalogue,
  states: createSqlitePanelStates({ file, catalogue, now }),
  answers: createSqliteAnswers(file, catalogue),
  documents: createSqliteDocuments(file, catalogue),
  state: createSqliteStore(file, catalogue),
  history: createSqliteHistory(file),
});

/** What a state file, or the tables of a stage, keep of a catalogue. */
export type KeptOfCatalogue = ReturnType<typeof keptInFile>;
