import { isPlaced, type LogRow } from '../catalogue/log-row.ts';
import { type ClassifiedRow, classifyRow } from '../classifier/classify.ts';
import type { LedgerRow } from '../store/ledger.ts';
import type { Batch } from './read-back.ts';

/** A row as the ledger keeps it; without a time where the row has none of its own. */
export function ledgerRow(row: LogRow | ClassifiedRow): LedgerRow {
  return { key: row.key, at: isPlaced(row) ? row.at : null };
}

/** Classifies the rows of batches. */
export async function* classifiedRows(batches: AsyncIterable<Batch>): AsyncGenerator<Batch<ClassifiedRow>> {
  for await (const { rows, ...batch } of batches) {
    yield { ...batch, rows: rows.map(classifyRow) };
  }
}
