import { type Instant, instantOf } from '../position/instant.ts';
import { type Entry, isRead } from '../relating/entry.ts';
import { awaitsTwin } from '../relating/twins.ts';

/** Rows that are recorded, published and checkpointed together. */
const CHUNK_ROWS = 100;

/** A row this young may have been served before its twin was written. */
const SETTLING: Instant = instantOf(2_000);

/** The rows, which are in order, in chunks; a row whose twin may not be written yet waits for the next poll. */
export function chunksOf(rows: readonly Entry[], now: Instant): readonly (readonly Entry[])[] {
  const young = rows.filter(({ at }) => at + SETTLING > now).filter(isRead);
  const waiting = awaitsTwin(young);
  const settled = waiting ? rows.slice(0, rows.indexOf(waiting)) : rows;
  const chunks: (readonly Entry[])[] = [];
  for (let at = 0; at < settled.length; at += CHUNK_ROWS) chunks.push(settled.slice(at, at + CHUNK_ROWS));
  return chunks;
}
