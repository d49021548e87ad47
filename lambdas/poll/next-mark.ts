import { earlier, type Instant, later } from '../run/instant.ts';
import type { Gap, Position } from '../store/position.ts';
import type { Chunk } from '../store/store.ts';
import type { RowChunk } from './chunks.ts';

interface Advance extends Pick<RowChunk, 'watermarkLimit' | 'count' | 'end'> {
  readonly position: Position;
  /** The catalogue's own time: the mark never passes it. */
  readonly now: Instant;
  /** The newest row of the log when this poll began. */
  readonly newestRow: Instant;
  /** Whether this poll found a new row in the gap of the position. */
  readonly foundInGap: boolean;
}

/** The mark, count, gap and waits of the position once these rows are published. */
export function nextMark(
  rows: readonly { readonly at: Instant }[],
  { position, now, watermarkLimit, count, end, newestRow, foundInGap }: Advance,
): Chunk['next'] {
  const limit = watermarkLimit === null ? now : earlier(now, watermarkLimit);
  const readAll = end?.waiting === 0;
  const newest = rows.map(({ at }) => at).reduce(later, readAll ? newestRow : 0n);
  const mark = later(position.mark, earlier(newest, limit));
  const { gap, waits } = position;
  if (!end) return { mark, count: count ?? position.count, gap, waits };
  return {
    mark,
    count,
    gap: nextGap(gap, watermarkLimit, foundInGap),
    waits: end.waiting > 0 ? waits + 1 : 0,
  };
}

function nextGap(before: Gap | null, at: Instant | null, found: boolean): Gap | null {
  if (at === null) return null;
  return { at, polls: before?.at === at && !found ? before.polls + 1 : 0 };
}
