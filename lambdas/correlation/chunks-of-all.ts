import type { ClassifiedRow } from '../classifier/classify-row.ts';
import { splitPointsOf } from './split-points.ts';

/** Rows that are correlated, recorded and published together. */
export const CHUNK_ROWS = 100;

/** Splits rows into chunks. Rows of one action are in one chunk, however far apart they are. */
export function* chunksOfAll(rows: readonly ClassifiedRow[]): Generator<readonly ClassifiedRow[]> {
  const splitPoints = splitPointsOf(rows);
  for (let begin = 0; begin < rows.length; ) {
    const end = splitPoints.endOf(begin, Math.min(begin + CHUNK_ROWS, rows.length));
    yield rows.slice(begin, end);
    begin = end;
  }
}
