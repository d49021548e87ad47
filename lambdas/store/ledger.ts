import { type Instant, later, minutes } from '../run/instant.ts';
import { longestOverlapMinutes } from './overlap.ts';
import type { Position } from './position.ts';

/** A row in the processed-row ledger. */
export interface LedgerRow {
  /** 32 hexadecimal digits. */
  readonly key: string;
  /** When the row was written; null where its time is unusable: such a row is kept at any mark. */
  readonly at: Instant | null;
}

/** The most rows without a usable time that the ledger keeps. Beyond them, it drops those published first. */
export const MOST_UNPLACED_ROWS = 10_000;

/** The oldest instant of rows that a poll reads: the mark less the overlap, but nothing that the ledger lacks. */
export function readFloor({ mark, start, ledgerSince }: Position, overlap: Instant): Instant {
  return [start, ledgerSince].reduce(later, mark - overlap);
}

/** A poll reads back at most this far before the mark. */
const LONGEST_OVERLAP = minutes(longestOverlapMinutes);

/** Whether the ledger's rows from before an instant can be forgotten: there may be some, and no poll reads them again. */
export const mayForget = ({ mark, ledgerSince }: Position, before: Instant): boolean =>
  before > ledgerSince && before <= mark - LONGEST_OVERLAP;

/** Rows of the ledger as a set to look up: keys with their times. */
export function seenRows(rows: Iterable<LedgerRow>): Map<string, Instant | null> {
  const seen = new Map<string, Instant | null>();
  for (const { key, at } of rows) seen.set(key, at);
  return seen;
}
