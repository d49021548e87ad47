import type { ReadEntry } from './entry.ts';

/** A gene replacement writes its rows within so long. */
const REPLACEMENT_WINDOW = 1_000_000n;

/** The rows of a gene replacement: the one that renames, what else was changed of the old symbol, and for the new one. */
export function replacement(entry: ReadEntry, read: readonly ReadEntry[]): ReadEntry[] {
  const renamed = entry.reading?.draft['entity.renamed'];
  return read.filter((other) => {
    if (other === entry) return true;
    const { activity, reading, at } = other;
    const near = at > entry.at ? at - entry.at : entry.at - at;
    if (near > REPLACEMENT_WINDOW || activity.panel_id !== entry.activity.panel_id) return false;
    if (activity.user_name !== entry.activity.user_name) return false;
    const before = reading?.form === 'geneEdit' && reading.entity?.name === renamed?.from && at <= entry.at;
    const after =
      reading?.form === 'inheritanceOfNewSymbol' && reading.entity?.name === renamed?.to && at >= entry.at;
    return before || after;
  });
}
