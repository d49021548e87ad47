import type { Instant } from '../run/instant.ts';
import type { Position } from '../store/position.ts';
import type { LogPage } from './log-page.ts';

interface Examined {
  readonly first: LogPage;
  readonly position: Position;
  readonly floor: Instant;
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/** This many polls read the rows of a gap again; later ones wait until the log changes. */
const SEARCHED_GAP_POLLS = 2;

/**
 * Whether page 1 is all that needs to be read: the log has as many rows as at the last poll, and no row of page 1 is
 * new. A late row stays unseen where another row vanished at the same time. But the mark does not advance meanwhile, so
 * the poll that finds the next new row finds the late one too.
 */
export function isQuiet({ first, position, floor, seen }: Examined): boolean {
  if (first.count === null || first.count !== position.count) return false;
  if (position.gap && position.gap.polls < SEARCHED_GAP_POLLS) return false;
  return first.rows.every(({ key, at }) => at < floor || seen.has(key));
}

/** How many rows the log is expected to have since the floor; null where it was never counted. */
export function expectedRows({ first, position, floor, seen }: Examined): number | null {
  if (first.count === null || position.count === null) return null;
  const inOverlap = [...seen.values()].filter((at) => at !== null && at >= floor).length;
  return first.count - position.count + inOverlap;
}
