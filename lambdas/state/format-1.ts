import type { Instant } from '../clock/instant.ts';
import type { Item } from '../dynamodb/attribute-values.ts';
import { newestOf, versionOf } from './ledger-items.ts';
import type { Position } from './position.ts';

/** A chunk writes the position twice; a catalogue that asked to wait may have added one write. */
const VERSIONS_APART = 3;

/**
 * Since when the ledger of a state in format 1 is complete. That format deleted what lay before the overlap of
 * its day and did not note how far. Each chunk left one item, so a gap in the versions shows where items are
 * missing; rows after the gap may have been published and be unknown here.
 */
export function ledgerSinceOfFormat1(
  { version, mark, start }: Pick<Position, 'version' | 'mark' | 'start'>,
  ledger: readonly Item[],
): Instant {
  let reached = version;
  let since = mark + 1n;
  for (const item of ledger.toSorted((one, other) => versionOf(other) - versionOf(one))) {
    if (reached - versionOf(item) > VERSIONS_APART) return since;
    reached = versionOf(item);
    const newest = newestOf(item);
    if (newest < since) since = newest;
  }
  // The first poll wrote the position once, with an item only where it had rows.
  return reached <= VERSIONS_APART ? start : since;
}
