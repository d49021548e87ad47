import type { Instant } from '../clock/instant.ts';
import { type LedgerRow, MOST_UNPLACED_ROWS } from './ledger.ts';
import type { StateFile } from './sqlite-file.ts';

/** The rows of the ledger since an instant, and those without a usable time: as one query, all rows are read. */
export const ledgerQueries = [
  'SELECT key, at FROM ledger WHERE catalogue = ? AND at >= ?',
  'SELECT key FROM ledger WHERE catalogue = ? AND at IS NULL',
] as const;

interface SqliteLedger {
  since(at: Instant): ReadonlyMap<string, Instant | null>;
  add(rows: readonly LedgerRow[]): void;
  forgetAfter(at: Instant): void;
  forgetBefore(at: Instant): void;
}

/** The ledger of one catalogue in a state file. Who calls it opens the transaction. */
export function createSqliteLedger({ database }: StateFile, catalogue: string): SqliteLedger {
  const [placed, unplaced] = [database.prepare(ledgerQueries[0]), database.prepare(ledgerQueries[1])];
  const addRow = database.prepare(
    'INSERT INTO ledger (catalogue, key, at) VALUES (?, ?, ?) ON CONFLICT (catalogue, key) DO UPDATE SET at = excluded.at',
  );
  const pruneUnplaced = database.prepare(
    'DELETE FROM ledger WHERE catalogue = ?1 AND at IS NULL AND seq NOT IN (SELECT seq FROM ledger WHERE catalogue = ?1 AND at IS NULL ORDER BY seq DESC LIMIT ?2)',
  );
  const after = database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at > ?');
  const before = database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at < ?');

  return {
    since(instant) {
      const rows = new Map<string, Instant | null>();
      for (const { key, at } of placed.iterate(catalogue, Number(instant)))
        rows.set(String(key), BigInt(at as number));
      for (const { key } of unplaced.iterate(catalogue)) rows.set(String(key), null);
      return rows;
    },
    add(rows) {
      for (const { key, at } of rows) addRow.run(catalogue, key, at === null ? null : Number(at));
      if (rows.some(({ at }) => at === null)) pruneUnplaced.run(catalogue, MOST_UNPLACED_ROWS);
    },
    forgetAfter: (at) => void after.run(catalogue, Number(at)),
    forgetBefore: (at) => void before.run(catalogue, Number(at)),
  };
}
