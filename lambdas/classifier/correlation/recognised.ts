import type { ClassifiedRow, RecognisedRow } from '../classify-row.ts';

/** The recognised rows among these, in their order. */
export function recognisedOf(rows: readonly ClassifiedRow[]): readonly RecognisedRow[] {
  return rows.filter((row) => row.kind === 'recognised');
}
