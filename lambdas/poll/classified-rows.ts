import { type ClassifiedRow, classifyRow } from '../classifier/classify-row.ts';
import type { Batch } from './read-back.ts';

/** The rows of batches with what each of them says. */
export async function* classifiedRows(batches: AsyncIterable<Batch>): AsyncGenerator<Batch<ClassifiedRow>> {
  for await (const { rows, ...batch } of batches) {
    yield { ...batch, rows: rows.map(classifyRow) };
  }
}
