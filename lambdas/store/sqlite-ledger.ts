import type { Instant } from '../run/instant.ts';
import { type LedgerRow, MOST_UNPLACED_ROWS } from './ledger.ts';
import type { StateFile } from './sqlite-file.ts';

/** The rows of the ledger since an instant, and those without a usable time. */
export const ledgerQueries = [
  'SELECT key, at FROM ledger WHERE catalogue = ? AND at >= ?',
  'SELECT key FROM unplaced_row WHERE catalogue = ?',
] as const;

interface SqliteLedger {
  since(at: Instant): ReadonlyMap<string, Instant | null>;
  add(rows: readonly LedgerRow[]): void;
  forgetAfter(at: Instant): void;
  forgetBefore(at: Instant): void;
}

/** The ledger of one catalogue in a state file. Who calls it opens the transaction. */
export function createSqliteLedger({ database }: StateFile, catalogue: string): SqliteLedger {
  const addUnplaced = (keys: readonly string[]): void => {
    if (keys.length === 0) return;
    const add = database.prepare('INSERT OR IGNORE INTO unplaced_row (catalogue, key) VALUES (?, ?)');
    for (const key of keys) add.run(catalogue, key);
    database
      .prepare(
        'DELETE FROM unplaced_row WHERE catalogue = ?1 AND seq NOT IN (SELECT seq FROM unplaced_row WHERE catalogue = ?1 ORDER BY seq DESC LIMIT ?2)',
      )
      .run(catalogue, MOST_UNPLACED_ROWS);
  };

  return {
    since(instant) {
      const rows = new Map<string, Instant | null>();
      const [placed, unplaced] = [database.prepare(ledgerQueries[0]), database.prepare(ledgerQueries[1])];
      for (const { key, at } of placed.iterate(catalogue, Number(instant)))
        rows.set(String(key), BigInt(at as number));
      for (const { key } of unplaced.iterate(catalogue)) rows.set(String(key), null);
      return rows;
    },
    add(rows) {
      const add = database.prepare('INSERT OR IGNORE INTO ledger (catalogue, at, key) VALUES (?, ?, ?)');
      for (const { key, at } of rows) if (at !== null) add.run(catalogue, Number(at), key);
      addUnplaced(rows.filter(({ at }) => at === null).map(({ key }) => key));
    },
    forgetAfter: (at) =>
      void database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at > ?').run(catalogue, Number(at)),
    forgetBefore: (at) =>
      void database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at < ?').run(catalogue, Number(at)),
  };
}
