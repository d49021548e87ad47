import { type Entry, isRead } from './entry.ts';
import { replacement } from './gene-replacement.ts';
import { pair } from './pairs.ts';

/** Where rows can be parted so that no action's rows are. */
export interface SplitPoints {
  /**
   * Where to end a part that begins at a row: at `wanted` or at the last place before it that parts no action,
   * else at the first behind it.
   */
  endOf(begin: number, wanted: number): number;
}

/** The splitPoints of rows, which are in order. */
export function splitPointsOf(rows: readonly Entry[]): SplitPoints {
  const inside = new Set<number>();
  for (const [first, last] of spansOf(rows)) for (let at = first + 1; at <= last; at++) inside.add(at);
  return {
    endOf: (begin, wanted) => {
      for (let at = Math.min(wanted, rows.length); at > begin; at--) if (!inside.has(at)) return at;
      let at = wanted + 1;
      while (inside.has(at)) at++;
      return at;
    },
  };
}

type Span = readonly [first: number, last: number];

/** From the first to the last row of every action that wrote several. */
function spansOf(rows: readonly Entry[]): readonly Span[] {
  const read = rows.filter(isRead);
  const places = new Map<Entry, number>(rows.map((row, place) => [row, place]));
  const spanOf = (some: readonly Entry[]): Span => {
    const at = some.map((row) => places.get(row) ?? 0);
    return [Math.min(...at), Math.max(...at)];
  };
  const pairs = pair(read);
  return read.flatMap((row) => {
    const follower = pairs.get(row.key)?.follower;
    const renames = row.reading?.draft['entity.renamed'] !== undefined;
    return [
      ...(follower ? [spanOf([row, follower])] : []),
      ...(renames ? [spanOf(replacement(row, read))] : []),
    ];
  });
}
