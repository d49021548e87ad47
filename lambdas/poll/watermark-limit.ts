import { earlier, type Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Gap } from '../store/position.ts';

/** After this many polls that found no row in a gap, the mark may pass it. */
const MOST_GAP_POLLS = 16;

/** The oldest instant that the mark must not pass, because rows may have been missed there. */
export interface WatermarkLimit {
  /** Null for no limit. */
  readonly at: Instant | null;
  set(at: Instant, message: string, fields: Record<string, unknown>): void;
}

interface LimitOptions {
  /** Where an earlier poll may have missed a row. */
  readonly gap: Gap | null;
  readonly log: Log;
}

/** Starts without a limit. */
export function createWatermarkLimit({ gap, log }: LimitOptions): WatermarkLimit {
  let limit: Instant | null = null;
  return {
    get at() {
      return limit;
    },
    set: (at, message, fields) => {
      if (gap?.at === at && gap.polls >= MOST_GAP_POLLS) {
        log.warn(`${message}; ${gap.polls} polls found no further one, and the mark goes on`, fields);
        return;
      }
      log.warn(`${message}; the mark waits there`, fields);
      limit = earlier(limit ?? at, at);
    },
  };
}
