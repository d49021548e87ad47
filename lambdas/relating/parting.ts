import { type Entry, isRead } from './entry.ts';
import { replacement } from './replacement.ts';
import { pair } from './twins.ts';

/**
 * Where to part rows, which are in order, so that no action's rows are parted: after at most `wanted` of them
 * if that can be, else after as few more as can be.
 */
export function partingOf(rows: readonly Entry[], wanted: number): number {
  const inside = new Set<number>();
  for (const [first, last] of spansOf(rows)) for (let at = first + 1; at <= last; at++) inside.add(at);
  for (let at = Math.min(wanted, rows.length); at > 0; at--) if (!inside.has(at)) return at;
  let at = wanted + 1;
  while (inside.has(at)) at++;
  return at;
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
