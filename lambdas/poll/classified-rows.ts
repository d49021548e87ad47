import { type ClassifiedRow, classifyRow } from '../classifier/classify-row.ts';
import type { Batch } from './read-back.ts';

/** Classifies the rows of batches. */
export async function* classifiedRows(batches: AsyncIterable<Batch>): AsyncGenerator<Batch<ClassifiedRow>> {
  for await (const { rows, ...batch } of batches) {
    yield { ...batch, rows: rows.map(classifyRow) };
  }
}
