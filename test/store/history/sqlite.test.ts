import { afterAll, describe } from 'vitest';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../../lambdas/store/sqlite-file.ts';
import { historyBehaviour, sharedHistoryBehaviour } from './behaviour.ts';

describe.each([3, 1_000])('a history in SQLite that indexes %i events of a backlog together', (step) => {
  const files: StateFile[] = [];
  afterAll(() => {
    for (const file of files) file.close();
  });
  const openFile = (): StateFile => {
    const file = openStateFile();
    files.push(file);
    return file;
  };

  historyBehaviour(async () => createSqliteHistory(openFile(), step), { runs: 30 });
  sharedHistoryBehaviour(async () => {
    const file = openFile();
    return () => createSqliteHistory(file, step);
  });
});
