import { afterEach, describe } from 'vitest';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/state/sqlite-file.ts';
import { historyBehaviour, sharedHistoryBehaviour } from './behaviour.ts';

describe('a history in SQLite', () => {
  let file: StateFile | undefined;
  afterEach(() => file?.close());

  historyBehaviour(
    async () => {
      file = openStateFile();
      return createSqliteHistory(file);
    },
    { runs: 60 },
  );
  sharedHistoryBehaviour(async () => {
    const opened = openStateFile();
    file = opened;
    return () => createSqliteHistory(opened);
  });
});
