import type { Activity } from '../../catalogue/schemas.ts';
import type { RecognisedRow } from '../classify-row.ts';

/** A gene replacement writes its rows within this time, in microseconds. */
const REPLACEMENT_WINDOW = 1_000_000n;

/** The rows of a gene replacement: the row that renames, the edits of the old symbol, and those of the new one. */
export function replacementRows(
  renaming: RecognisedRow,
  rows: readonly RecognisedRow[],
): readonly RecognisedRow[] {
  const renamed = renaming.reading.draft['entity.renamed'];
  return rows.filter((row) => {
    if (row === renaming) return true;
    const { activity, reading, at } = row;
    const distance = at > renaming.at ? at - renaming.at : renaming.at - at;
    if (distance > REPLACEMENT_WINDOW || !isSamePanel(activity, renaming.activity)) return false;
    if (activity.user_name !== renaming.activity.user_name) return false;
    const before = reading.form === 'geneEdit' && reading.entity?.name === renamed?.from && at <= renaming.at;
    const after =
      reading.form === 'inheritanceOfNewSymbol' && reading.entity?.name === renamed?.to && at >= renaming.at;
    return before || after;
  });
}

function isSamePanel(one: Activity, other: Activity): boolean {
  return one.panel_id === other.panel_id && (one.panel_id !== null || one.panel_name === other.panel_name);
}
