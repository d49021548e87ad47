import { type Instant, instantOf } from '../position/instant.ts';
import { type Entry, isRead } from '../relating/entry.ts';
import { awaitsTwin } from '../relating/twins.ts';

/** Rows that are recorded, published and checkpointed together. */
const CHUNK_ROWS = 100;

/** A row this young may have been served before its twin was written. */
const SETTLING: Instant = instantOf(2_000);

/** Rows in chunks. */
export function chunksOf(rows: readonly Entry[]): readonly (readonly Entry[])[] {
  const chunks: (readonly Entry[])[] = [];
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) chunks.push(rows.slice(at, at + CHUNK_ROWS));
  return chunks;
}

/** The rows, which are in order, before the first whose twin may not be written yet: that one can wait. */
export function settledBefore(rows: readonly Entry[], now: Instant): readonly Entry[] {
  const young = rows.filter(({ at }) => at + SETTLING > now).filter(isRead);
  const waiting = awaitsTwin(young);
  return waiting ? rows.slice(0, rows.indexOf(waiting)) : rows;
}
