import { oldestFirst } from '../catalogue/log-row.ts';
import type { ClassifiedRow } from '../classifier/classify.ts';
import {
  chunksOfAll,
  fillChunk,
  recognisedOf,
  splitPointsOf,
  withoutFollower,
} from '../classifier/correlation/pairs.ts';
import { earlier, type Instant, instantOf } from '../run/instant.ts';
import type { Batch } from './read-back.ts';

/** A chunk is closed once this many rows after it are read: the rows of one action are that close together. */
const ROWS_AHEAD = 50;

/** A row may have been served before its paired row was written, if it is younger than this. In microseconds. */
const SETTLING: Instant = instantOf(2_000);

/** Rows that are to be published together. */
export interface RowChunk extends Batch<ClassifiedRow> {
  /** Set on the last chunk, which may have no rows; null on all others. */
  readonly end: EndOfRows | null;
}

/** How many rows at the end of a poll may lack their paired row. */
export interface EndOfRows {
  /** Rows that are left for a later poll, because a paired row may still be missing. */
  readonly waiting: number;
  /** Rows that are published although a paired row may still be missing. */
  readonly unpaired: number;
}

interface ChunkOptions {
  /** The catalogue's own time. */
  readonly now: Instant;
  /** Whether rows may be left for a later poll. */
  readonly mayWait: boolean;
  /** The most rows of a chunk: at least two times `ROWS_AHEAD`. */
  readonly chunkRows: number;
}

/**
 * Turns batches of rows into chunks. Rows of one action are in one chunk, also where batches split them. Where reading
 * fails, the rows that were read come before the error.
 */
export async function* chunksOf(
  batches: AsyncIterable<Batch<ClassifiedRow>>,
  { now, mayWait, chunkRows }: ChunkOptions,
): AsyncGenerator<RowChunk> {
  let known: readonly ClassifiedRow[] = [];
  let watermarkLimit: Instant | null = null;
  let count: number | null = null;
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const batch of batches) {
      known = [...known, ...batch.rows].sort(oldestFirst);
      if (batch.watermarkLimit !== null) {
        watermarkLimit = earlier(watermarkLimit ?? batch.watermarkLimit, batch.watermarkLimit);
      }
      while (known.length >= 2 * ROWS_AHEAD && fillChunk(known, chunkRows)) {
        const [rows, others] = split(known, Math.min(chunkRows, known.length - ROWS_AHEAD));
        yield { rows, watermarkLimit, count, end: null };
        known = others;
      }
      count = batch.count;
    }
  } catch (error) {
    failure = { error };
  }
  const settled = settledBefore(known, now);
  const unsettled = known.length - settled.length;
  const chunks = [...chunksOfAll(mayWait ? settled : known, chunkRows)];
  const last = failure ? [] : (chunks.pop() ?? []);
  for (const rows of chunks) yield { rows, watermarkLimit, count: null, end: null };
  if (failure) throw failure.error;
  const end = { waiting: mayWait ? unsettled : 0, unpaired: mayWait ? 0 : unsettled };
  yield { rows: last, watermarkLimit, count, end };
}

/** A chunk of several rows as two. */
export function halvesOf(rows: readonly ClassifiedRow[]): Halves {
  const half = Math.ceil(rows.length / 2);
  const halves = split(rows, half);
  return halves[1].length > 0 ? halves : splitAt(rows, half);
}

type Halves = readonly [readonly ClassifiedRow[], readonly ClassifiedRow[]];

/** Splits rows near `wanted`, so that those of one action stay together. */
function split(rows: readonly ClassifiedRow[], wanted: number): Halves {
  return splitAt(rows, splitPointsOf(rows.slice(0, wanted + ROWS_AHEAD))(0, wanted));
}

function splitAt(rows: readonly ClassifiedRow[], index: number): Halves {
  return [rows.slice(0, index), rows.slice(index)];
}

/** The rows, oldest first, up to the first whose paired row may not be written yet. */
function settledBefore(rows: readonly ClassifiedRow[], now: Instant): readonly ClassifiedRow[] {
  const waiting = withoutFollower(recognisedOf(rows)).find(({ at }) => at + SETTLING > now);
  return waiting ? rows.slice(0, rows.indexOf(waiting)) : rows;
}
