import { earlier, type Instant, instantOf } from '../clock/instant.ts';
import { type Entry, inOrder, isRead } from '../correlation/entry.ts';
import { awaitsTwin } from '../correlation/pairs.ts';
import { splitPointsOf } from '../correlation/split-points.ts';
import type { Batch } from './read-back.ts';

/** Rows that are recorded, published and checkpointed together. */
const CHUNK_ROWS = 100;

/** A chunk is closed when so many more rows are known: those of one action lie that close together. */
const ROWS_AHEAD = 50;

/** A row this young may have been served before its twin was written. */
const SETTLING: Instant = instantOf(2_000);

/**
 * Batches of rows in chunks; rows of one action lie in one chunk, also where batches part them. Where no more
 * batches can be had, what is there comes before the error.
 */
export async function* chunksOf(batches: AsyncIterable<Batch>, now: Instant): AsyncGenerator<Batch> {
  let rows: readonly Entry[] = [];
  let hold: Instant | null = null;
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const batch of batches) {
      rows = [...rows, ...batch.entries].sort(inOrder);
      if (batch.hold !== null) hold = earlier(hold ?? batch.hold, batch.hold);
      while (rows.length >= 2 * ROWS_AHEAD) {
        const [entries, others] = part(rows, Math.min(CHUNK_ROWS, rows.length - ROWS_AHEAD));
        yield { entries, hold };
        rows = others;
      }
    }
  } catch (error) {
    failure = { error };
  }
  for (const entries of chunksOfAll(settledBefore(rows, now))) yield { entries, hold };
  if (failure) throw failure.error;
}

/** Rows that are all there, in chunks; rows of one action lie in one chunk, however far apart. */
export function* chunksOfAll(rows: readonly Entry[]): Generator<readonly Entry[]> {
  const splitPoints = splitPointsOf(rows);
  for (let begin = 0; begin < rows.length; ) {
    const end = splitPoints.endOf(begin, Math.min(begin + CHUNK_ROWS, rows.length));
    yield rows.slice(begin, end);
    begin = end;
  }
}

/** A chunk of several rows as two. */
export function halvesOf(rows: readonly Entry[]): readonly (readonly Entry[])[] {
  const half = Math.ceil(rows.length / 2);
  const parts = part(rows, half);
  return parts[1].length > 0 ? parts : partAt(rows, half);
}

/** Parts rows near `wanted`, so that those of one action stay together. */
function part(rows: readonly Entry[], wanted: number): [readonly Entry[], readonly Entry[]] {
  return partAt(rows, splitPointsOf(rows.slice(0, wanted + ROWS_AHEAD)).endOf(0, wanted));
}

function partAt(rows: readonly Entry[], at: number): [readonly Entry[], readonly Entry[]] {
  return [rows.slice(0, at), rows.slice(at)];
}

/** The rows, which are in order, before the first whose twin may not be written yet: that one can wait. */
function settledBefore(rows: readonly Entry[], now: Instant): readonly Entry[] {
  const young = rows.filter(({ at }) => at + SETTLING > now).filter(isRead);
  const waiting = awaitsTwin(young);
  return waiting ? rows.slice(0, rows.indexOf(waiting)) : rows;
}
