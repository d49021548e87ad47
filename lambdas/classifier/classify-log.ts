import { oldestFirst, readLogRows } from '../catalogue/log-row.ts';
import { type ClassifiedRow, classifyRow } from './classify-row.ts';

/** All rows of a saved log as received: each once, oldest first, classified. */
export function classifyLog(received: readonly unknown[]): readonly ClassifiedRow[] {
  return [...readLogRows(received)].sort(oldestFirst).map(classifyRow);
}
