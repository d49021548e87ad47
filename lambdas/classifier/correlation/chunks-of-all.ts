import { lengthOf } from '../../catalogue/row-length.ts';
import type { ClassifiedRow } from '../classify-row.ts';
import { splitPointsOf } from './split-points.ts';

/** Rows that are correlated, recorded and published together, where the state takes no more. */
const CHUNK_ROWS = 100;

/** Rows with longer texts together, in UTF-16 units, are not in one chunk, unless one action wrote them. */
const CHUNK_LENGTH = 400_000;

/** Splits rows into chunks of `most` rows. Rows of one action are in one chunk, however far apart they are. */
export function* chunksOfAll(
  rows: readonly ClassifiedRow[],
  most = CHUNK_ROWS,
): Generator<readonly ClassifiedRow[]> {
  if (rows.length > 0 && rows.length <= rowsOfChunk(rows, 0, most)) return yield rows;
  const splitPoints = splitPointsOf(rows);
  for (let begin = 0; begin < rows.length; ) {
    const end = splitPoints.endOf(begin, Math.min(begin + rowsOfChunk(rows, begin, most), rows.length));
    yield rows.slice(begin, end);
    begin = end;
  }
}

/** Whether rows fill a chunk of `most` rows, by their number or by their texts. */
export const fillChunk = (rows: readonly ClassifiedRow[], most: number): boolean =>
  rows.length >= most || rowsOfChunk(rows, 0, most) < rows.length;

/** How many rows from `begin` on a chunk may have: one at least. */
function rowsOfChunk(rows: readonly ClassifiedRow[], begin: number, most: number): number {
  let length = 0;
  for (let count = 0; count < most && begin + count < rows.length; count += 1) {
    length += lengthOf(rows[begin + count] as ClassifiedRow);
    if (length > CHUNK_LENGTH) return Math.max(1, count);
  }
  return most;
}
