import { oldestFirst } from '../catalogue/log-row.ts';
import type { ClassifiedRow } from '../classifier/classify-row.ts';
import { earlier, type Instant, instantOf } from '../clock/instant.ts';
import { withoutFollower } from '../correlation/pairs.ts';
import { recognisedOf } from '../correlation/recognised.ts';
import { splitPointsOf } from '../correlation/split-points.ts';
import type { Batch } from './read-back.ts';

/** Rows that are recorded, published and checkpointed together. */
const CHUNK_ROWS = 100;

/** A chunk is closed when so many more rows are known: those of one action lie that close together. */
const ROWS_AHEAD = 50;

/** A row this young may have been served before its paired row was written. */
const SETTLING: Instant = instantOf(2_000);

/**
 * Batches of rows in chunks; rows of one action lie in one chunk, also where batches part them. Where no more
 * batches can be had, what is there comes before the error.
 */
export async function* chunksOf(
  batches: AsyncIterable<Batch<ClassifiedRow>>,
  now: Instant,
): AsyncGenerator<Batch<ClassifiedRow>> {
  let known: readonly ClassifiedRow[] = [];
  let watermarkLimit: Instant | null = null;
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const batch of batches) {
      known = [...known, ...batch.rows].sort(oldestFirst);
      if (batch.watermarkLimit !== null) {
        watermarkLimit = earlier(watermarkLimit ?? batch.watermarkLimit, batch.watermarkLimit);
      }
      while (known.length >= 2 * ROWS_AHEAD) {
        const [rows, others] = split(known, Math.min(CHUNK_ROWS, known.length - ROWS_AHEAD));
        yield { rows, watermarkLimit };
        known = others;
      }
    }
  } catch (error) {
    failure = { error };
  }
  for (const rows of chunksOfAll(settledBefore(known, now))) yield { rows, watermarkLimit };
  if (failure) throw failure.error;
}

/** Rows that are all there, in chunks; rows of one action lie in one chunk, however far apart. */
export function* chunksOfAll(rows: readonly ClassifiedRow[]): Generator<readonly ClassifiedRow[]> {
  const splitPoints = splitPointsOf(rows);
  for (let begin = 0; begin < rows.length; ) {
    const end = splitPoints.endOf(begin, Math.min(begin + CHUNK_ROWS, rows.length));
    yield rows.slice(begin, end);
    begin = end;
  }
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
  return splitAt(rows, splitPointsOf(rows.slice(0, wanted + ROWS_AHEAD)).endOf(0, wanted));
}

function splitAt(rows: readonly ClassifiedRow[], index: number): Halves {
  return [rows.slice(0, index), rows.slice(index)];
}

/** The rows, oldest first, before the first whose paired row may not be written yet: that one can wait. */
function settledBefore(rows: readonly ClassifiedRow[], now: Instant): readonly ClassifiedRow[] {
  const waiting = withoutFollower(recognisedOf(rows)).find(({ at }) => at + SETTLING > now);
  return waiting ? rows.slice(0, rows.indexOf(waiting)) : rows;
}
