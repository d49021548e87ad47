import { afterAll, describe } from 'vitest';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/state/sqlite-file.ts';
import { historyBehaviour, sharedHistoryBehaviour } from './behaviour.ts';

describe('a history in SQLite', () => {
  const files: StateFile[] = [];
  afterAll(() => {
    for (const file of files) file.close();
  });
  const openFile = (): StateFile => {
    const file = openStateFile();
    files.push(file);
    return file;
  };

  historyBehaviour(async () => createSqliteHistory(openFile()), { runs: 60 });
  sharedHistoryBehaviour(async () => {
    const file = openFile();
    return () => createSqliteHistory(file);
  });
});
