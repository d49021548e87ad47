import { formatInstant, type Instant, minutes } from '../clock/instant.ts';
import type { Log } from '../log/log.ts';
import type { Position } from '../state/store.ts';
import type { LogPage } from './log-page.ts';
import type { Report } from './report.ts';

/** Signs that something is wrong with the log, or with what this caller may see of it. */
export type Sign = 'log-behind-mark' | 'log-shrunken' | 'rows-from-the-future';

/** A tenth of the rows does not vanish in a day's work. */
const SHRUNKEN = 0.9;
/** The catalogue's clock and those of its rows may differ by so much. */
export const CLOCK_SKEW = minutes(5);

export interface Examined {
  readonly first: LogPage;
  readonly position: Position;
  readonly now: Instant;
  readonly log: Log;
  readonly report: Report;
}

/** Looks at the newest page and warns; nothing that it finds stops the poll. */
export function examine({ first, position, now, log, report }: Examined): void {
  const warn = (sign: Sign, message: string, fields: Record<string, unknown>): void => {
    report.sign(sign);
    log.warn(message, { sign, ...fields });
  };
  if (first.newest < position.mark) {
    warn('log-behind-mark', 'The newest row of the log is older than the mark; was the catalogue restored?', {
      newest: formatInstant(first.newest),
      mark: formatInstant(position.mark),
    });
  }
  if (first.count !== null && position.count !== null && first.count < position.count * SHRUNKEN) {
    warn('log-shrunken', 'The log has many rows less than before; is the access still the same?', {
      before: position.count,
      now: first.count,
    });
  }
  if (first.newest > now + CLOCK_SKEW) {
    warn('rows-from-the-future', "Rows of the log are dated after the catalogue's own time", {
      newest: formatInstant(first.newest),
      now: formatInstant(now),
    });
  }
}
