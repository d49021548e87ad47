import { lengthOf } from '../../catalogue/log-row.ts';
import type { Activity } from '../../catalogue/schemas.ts';
import type { ClassifiedRow, RecognisedRow } from '../classify.ts';
import { pairRows } from './pairs.ts';

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

/** Where rows can be split so that the rows of one action stay together. */
interface SplitPoints {
  /**
   * The end of a part that begins at index `begin`: `wanted`, or the last split point before it, or else the
   * first one after it.
   */
  endOf(begin: number, wanted: number): number;
}

/** The split points of rows, which are oldest first. */
export function splitPointsOf(rows: readonly ClassifiedRow[]): SplitPoints {
  const insideAction = new Set<number>();
  for (const [first, last] of spansOf(rows)) {
    for (let index = first + 1; index <= last; index++) insideAction.add(index);
  }
  return {
    endOf: (begin, wanted) => {
      for (let end = Math.min(wanted, rows.length); end > begin; end--) {
        if (!insideAction.has(end)) return end;
      }
      let end = wanted + 1;
      while (insideAction.has(end)) end++;
      return end;
    },
  };
}

type Span = readonly [first: number, last: number];

/** The indices of the first and last row of every action that wrote several rows. */
function spansOf(rows: readonly ClassifiedRow[]): readonly Span[] {
  const recognised = recognisedOf(rows);
  const indices = new Map<ClassifiedRow, number>(rows.map((row, index) => [row, index]));
  const spanOf = (action: readonly ClassifiedRow[]): Span => {
    const found = action.map((row) => indices.get(row) ?? 0);
    return [Math.min(...found), Math.max(...found)];
  };
  const pairs = pairRows(recognised);
  return recognised.flatMap((row) => {
    const follower = pairs.get(row.key)?.follower;
    const renames = row.reading.draft['entity.renamed'] !== undefined;
    return [
      ...(follower ? [spanOf([row, follower])] : []),
      ...(renames ? [spanOf(replacementRows(row, recognised))] : []),
    ];
  });
}

/** The recognised rows among these, in their order. */
export function recognisedOf(rows: readonly ClassifiedRow[]): readonly RecognisedRow[] {
  return rows.filter((row) => row.kind === 'recognised');
}

/** A gene replacement writes its rows within this time, in microseconds. */
const REPLACEMENT_WINDOW = 1_000_000n;

/** The rows of a gene replacement: the row that renames, the edits of the old symbol, and those of the new one. */
export function replacementRows(
  renaming: RecognisedRow,
  rows: readonly RecognisedRow[],
): readonly RecognisedRow[] {
  const renamed = renaming.reading.draft['entity.renamed'];
  return rows.filter((row) => {
    if (row === renaming) return true;
    const { activity, reading, at } = row;
    const distance = at > renaming.at ? at - renaming.at : renaming.at - at;
    if (distance > REPLACEMENT_WINDOW || !isSamePanel(activity, renaming.activity)) return false;
    if (activity.user_name !== renaming.activity.user_name) return false;
    const before = reading.form === 'geneEdit' && reading.entity?.name === renamed?.from && at <= renaming.at;
    const after =
      reading.form === 'inheritanceOfNewSymbol' && reading.entity?.name === renamed?.to && at >= renaming.at;
    return before || after;
  });
}

function isSamePanel(one: Activity, other: Activity): boolean {
  return one.panel_id === other.panel_id && (one.panel_id !== null || one.panel_name === other.panel_name);
}
