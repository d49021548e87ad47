import type { Instant } from '../clock/instant.ts';
import type { Position } from '../state/position.ts';
import type { LogPage } from './log-page.ts';

interface Examined {
  readonly first: LogPage;
  readonly position: Position;
  readonly floor: Instant;
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/** A gap keeps polls reading for so long; then they wait until the log moves. */
const SEARCHED_GAP_POLLS = 8;

/**
 * Whether nothing needs to be read behind page 1: the log has as many rows as when it was read last, and none on
 * page 1 is new. A row that came late while another vanished can hide behind that; the mark does not move
 * meanwhile, and the poll that finds the next new row finds it too.
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
