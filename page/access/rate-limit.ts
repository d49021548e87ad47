import type { Clock } from '../../lambdas/run/clock.ts';

interface RateBounds {
  /** Requests that may come at once. */
  readonly burst: number;
  /** Requests a second that are added again, up to the burst. */
  readonly perSecond: number;
}

/** Counts a request of somebody: null where it is within the bounds, else the seconds until the next one is. */
type RateLimit = (who: string) => number | null;

/** Beyond so many known ones, those whose requests are all added again are forgotten. */
const MOST_KNOWN = 10_000;

/** Creates a limit of the requests of each person or address. */
export function createRateLimit(clock: Pick<Clock, 'now'>, { burst, perSecond }: RateBounds): RateLimit {
  const known = new Map<string, { left: number; at: number }>();
  const leftOf = ({ left, at }: { left: number; at: number }, now: number): number =>
    Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
  return (who) => {
    const now = clock.now();
    const before = known.get(who);
    const left = before ? leftOf(before, now) : burst;
    if (left < 1) return Math.ceil((1 - left) / perSecond);
    known.delete(who);
    known.set(who, { left: left - 1, at: now });
    if (known.size > MOST_KNOWN) {
      for (const [each, state] of known) if (leftOf(state, now) >= burst) known.delete(each);
      // A limit that is reached stays, unless an attack has so many addresses that memory would end.
      for (const each of known.keys()) if (known.size > 2 * MOST_KNOWN) known.delete(each);
    }
    return null;
  };
}
