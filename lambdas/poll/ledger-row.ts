import { isPlaced, type LogRow } from '../catalogue/log-row.ts';
import type { ClassifiedRow } from '../classifier/classify-row.ts';
import type { LedgerRow } from '../store/ledger.ts';

/** A row as the ledger keeps it; without a time where the row has none of its own. */
export function ledgerRow(row: LogRow | ClassifiedRow): LedgerRow {
  return { key: row.key, at: isPlaced(row) ? row.at : null };
}
