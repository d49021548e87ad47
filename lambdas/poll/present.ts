import { type Instant, instantOf, later } from '../run/instant.ts';
import { CLOCK_SKEW } from './anomalies.ts';
import type { LogPage } from './log-page.ts';

/** The `Date` header has whole seconds, and is written before the rows are read. */
const ROUNDED: Instant = instantOf(2_000);

/**
 * The present time of the catalogue: its `Date` header, or else this machine's clock. Where the newest row is later than
 * the header, a cache or proxy wrote the header, and the row is right, unless it is later than this machine's clock too.
 */
export function catalogueNow(
  { serverTime, newest }: Pick<LogPage, 'serverTime' | 'newest'>,
  own: Instant,
): Instant {
  if (serverTime === null) return own;
  const isStale = newest > serverTime + ROUNDED && newest <= own + CLOCK_SKEW;
  return isStale ? later(own, newest) : serverTime;
}
