import type { Direction, Rating } from '../../events/changes.ts';

const upwards: readonly Rating[] = ['none', 'red', 'amber', 'green'];

/** The direction from one rating to another; `unknown` unless both are known. */
export function directionOf(from: Rating | null, to: Rating | null): Direction {
  if (from === null || to === null) return 'unknown';
  if (from === to) return 'unchanged';
  return upwards.indexOf(from) < upwards.indexOf(to) ? 'upgraded' : 'downgraded';
}
