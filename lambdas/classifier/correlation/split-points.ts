import type { ClassifiedRow } from '../classify-row.ts';
import { replacementRows } from './gene-replacement.ts';
import { pairRows } from './pairs.ts';
import { recognisedOf } from './recognised.ts';

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
