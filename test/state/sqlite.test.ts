import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqliteDocuments } from '../../lambdas/state/documents-sqlite.ts';
import { createSqliteStore, ledgerQueries } from '../../lambdas/state/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/state/sqlite-file.ts';
import { describeStateStore } from './behaviour.ts';
import { describeDocuments } from './documents.ts';
import { describeForgetting } from './forgetting.ts';
import { describeMovedMark } from './moved-mark.ts';

let directory: string;
let file: StateFile;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sqlite-'));
  file = openStateFile(directory);
});
afterAll(() => {
  file.close();
  return rm(directory, { recursive: true });
});

describeDocuments('in SQLite', (catalogue) => createSqliteDocuments(file, catalogue));
describeStateStore('in SQLite', (catalogue) => createSqliteStore(file, catalogue));
describeMovedMark('in SQLite', (catalogue) => createSqliteStore(file, catalogue));
describeForgetting('in SQLite', (catalogue) => createSqliteStore(file, catalogue));

test('a quiet poll finds its rows of the ledger by an index, among those of years', () => {
  const { database } = file;
  const plans = ledgerQueries.flatMap((sql) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all('uk', ...(sql.includes('>=') ? [0] : []))
      .map(({ detail }) => String(detail)),
  );
  expect(plans.length).toBeGreaterThan(1);
  for (const plan of plans) expect(plan).toMatch(/USING INDEX ledger_by_time \(catalogue=\? AND at(>|=)\?\)/);
});
