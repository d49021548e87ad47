import { type Instant, later } from '../../run/instant.ts';
import type { Coverage } from './history.ts';

/**
 * The periods that were read, where a poll read the log of a catalogue to its end at `until` and found no newer row: such a poll
 * writes nothing. Null where no poll is known.
 */
export function readUpTo(
  coverage: readonly Coverage[],
  { catalogue, until }: { readonly catalogue: string; readonly until: Instant | null },
): readonly Coverage[] {
  const newest = coverage.findLast((period) => period.catalogue === catalogue);
  if (until === null || !newest) return coverage;
  return coverage.map((period) =>
    period === newest ? { ...period, until: later(period.until, until) } : period,
  );
}
