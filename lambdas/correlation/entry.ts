import type { Activity } from '../catalogue/schemas.ts';
import type { Reading } from '../classifier/classify.ts';
import type { Instant } from '../clock/instant.ts';

/** One row of the log on its way to events. */
export interface Entry {
  /** Its identity (`rowKey`). */
  readonly key: string;
  /** When it was written; for a row without a usable stamp, that of its neighbour. */
  readonly at: Instant;
  /** As received. */
  readonly row: unknown;
  /** Null where the row is not an activity; then `problem` says why. */
  readonly activity: Activity | null;
  readonly problem?: string;
  /** It appeared behind the mark. */
  readonly late: boolean;
}

/** A row that was read as an activity, and what it says; null where the wording is not known. */
export interface ReadEntry extends Entry {
  readonly activity: Activity;
  readonly reading: Reading | null;
}

/** In the order of events: by time, then by key, so that every run sends them in the same order. */
export function inOrder(one: Entry, other: Entry): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}

/** Whether a row was read as an activity. */
export function isRead(entry: Entry): entry is ReadEntry {
  return entry.activity !== null && 'reading' in entry;
}
