import type { ActivityRow, InvalidRow, LogRow } from '../catalogue/log-row.ts';
import { classify, type Reading } from './classify.ts';

/** A row whose text the grammar recognises. */
export interface RecognisedRow extends Omit<ActivityRow, 'kind'> {
  readonly kind: 'recognised';
  readonly reading: Reading;
}

/** A row whose text no template of the grammar matches. */
export interface UnrecognisedRow extends Omit<ActivityRow, 'kind'> {
  readonly kind: 'unrecognised';
}

/** A row of the log after classification. */
export type ClassifiedRow = RecognisedRow | UnrecognisedRow | InvalidRow;

/** A row with the reading of its text; an invalid row stays as it is. Pure and total. */
export function classifyRow(row: LogRow): ClassifiedRow {
  if (row.kind === 'invalid') return row;
  const reading = classify(row.activity);
  return reading ? { ...row, kind: 'recognised', reading } : { ...row, kind: 'unrecognised' };
}
