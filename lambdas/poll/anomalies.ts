import { formatInstant, type Instant, minutes } from '../run/instant.ts';
import type { Position } from '../store/position.ts';
import type { LogPage } from './log-page.ts';

/** What a poll warns of: something may be wrong with the log, with the access to it, or with the state. */
export type AnomalyName =
  | 'log-behind-mark'
  | 'log-shrunken'
  | 'panels-unlisted'
  | 'rows-from-the-future'
  | 'state-set-back';

interface Anomaly {
  readonly name: AnomalyName;
  /** For a person, without the values. */
  readonly message: string;
  /** The values that were compared. */
  readonly seen: Readonly<Record<string, string | number>>;
}

/** A log that lost more of its rows than this has shrunk, unless configured: ordinary work does not remove a tenth. */
export const defaultShrunkenLogPercent = 10;
/** The catalogue's clock and the times of its rows may differ by this much. */
export const CLOCK_SKEW = minutes(5);

interface Examined {
  readonly first: LogPage;
  readonly position: Position;
  readonly now: Instant;
  /** A log that lost more of its rows than this has shrunk. */
  readonly shrunkenPercent: number;
  /** The panels of published rows that are newer than the log's newest row; empty where there are none. */
  readonly vanished: ReadonlySet<number>;
}

/** The anomalies that the newest page shows; none of them stops a poll. */
export function anomaliesOf({
  first,
  position,
  now,
  shrunkenPercent,
  vanished,
}: Examined): readonly Anomaly[] {
  const anomalies: Anomaly[] = [];
  // Where a panel is hidden, all its rows vanish, perhaps the newest ones of the log too.
  const stillPublic = first.rows.some(
    (row) => row.kind === 'activity' && vanished.has(row.activity.panel_id ?? Number.NaN),
  );
  if (first.newest < position.mark && stillPublic) {
    anomalies.push({
      name: 'log-behind-mark',
      message:
        'Rows of a panel that is public have vanished from the end of the log; was the catalogue restored?',
      seen: { newest: formatInstant(first.newest), mark: formatInstant(position.mark) },
    });
  }
  const fewest = (position.count ?? 0) * (1 - shrunkenPercent / 100);
  if (first.count !== null && position.count !== null && first.count < fewest) {
    anomalies.push({
      name: 'log-shrunken',
      message: 'The log has far fewer rows than before; is the access still the same?',
      seen: { before: position.count, now: first.count },
    });
  }
  if (first.newest > now + CLOCK_SKEW) {
    anomalies.push({
      name: 'rows-from-the-future',
      message: "Rows of the log are dated after the catalogue's own time",
      seen: { newest: formatInstant(first.newest), now: formatInstant(now) },
    });
  }
  return anomalies;
}
