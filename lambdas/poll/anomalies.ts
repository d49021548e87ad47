import { formatInstant, type Instant, minutes } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Position } from '../store/position.ts';
import type { Rollback, Stored } from '../store/store.ts';
import type { LogPage } from './log-page.ts';
import type { PollOptions } from './poll-options.ts';
import type { AnomalyName, Report } from './report.ts';

interface Anomaly {
  readonly name: AnomalyName;
  /** For a person, without the values. */
  readonly message: string;
  /** The values that were compared. */
  readonly seen: Readonly<Record<string, string | number>>;
}

/** A log that lost more of its rows than this has shrunk, unless configured: ordinary work does not remove a tenth. */
const SHRUNKEN_LOG_PERCENT = 10;
/** The catalogue's clock and the times of its rows may differ by this much. */
export const CLOCK_SKEW = minutes(5);

interface Examined {
  /** The newest page. */
  readonly first: LogPage;
  readonly position: Position;
  /** The catalogue's own time. */
  readonly now: Instant;
}

/** What a log had to say last of each anomaly, while it lasts; a process has one log. */
const lastSeen = new WeakMap<Log, Map<string, string>>();

/**
 * Logs the anomalies of the newest page, each once while it stays the same; none of them stops a poll.
 * @throws {HistoryError} when it is to be read and cannot be
 */
export async function warnOfAnomalies(examined: Examined, run: PollOptions, report: Report): Promise<void> {
  const { log } = run;
  const { first, position } = examined;
  const vanished = first.newest < position.mark ? await panelsSince(first.newest, run) : new Set<number>();
  const before = lastSeen.get(log);
  const now = new Map<string, string>();
  for (const { name, message, seen } of anomaliesOf(examined, vanished, run)) {
    report.anomaly(name);
    const shown = JSON.stringify(seen);
    now.set(name, shown);
    if (before?.get(name) !== shown) log.warn(message, { anomaly: name, ...seen });
  }
  lastSeen.set(log, now);
}

/** The most events that are looked at for the panels of rows that vanished. */
const MOST_EVENTS = 1_000;

/** The panels of the rows that were published and are newer than an instant. */
async function panelsSince(instant: Instant, { name, history }: PollOptions): Promise<ReadonlySet<number>> {
  const panels = new Set<number>();
  const query = { catalogue: name, since: instant + 1n, limit: MOST_EVENTS } as const;
  for await (const { data } of history?.findWithoutRows(query) ?? []) {
    const isStated = !('via' in data.change) || data.change.via === 'activity';
    if (isStated && data.panel?.id) panels.add(data.panel.id);
  }
  return panels;
}

/** @param vanished the panels of published rows that are newer than the log's newest row */
function* anomaliesOf(
  { first, position, now }: Examined,
  vanished: ReadonlySet<number>,
  { shrunkenLogPercent = SHRUNKEN_LOG_PERCENT }: PollOptions,
): Generator<Anomaly> {
  // Where a panel is hidden, all its rows vanish, perhaps the newest ones of the log too.
  const stillPublic = first.rows.some(
    (row) => row.kind === 'activity' && vanished.has(row.activity.panel_id ?? Number.NaN),
  );
  if (first.newest < position.mark && stillPublic) {
    yield {
      name: 'log-behind-mark',
      message:
        'Rows of a panel that is public have vanished from the end of the log; was the catalogue restored?',
      seen: { newest: formatInstant(first.newest), mark: formatInstant(position.mark) },
    };
  }
  const fewest = (position.count ?? 0) * (1 - shrunkenLogPercent / 100);
  if (first.count !== null && position.count !== null && first.count < fewest) {
    yield {
      name: 'log-shrunken',
      message: 'The log has far fewer rows than before; is the access still the same?',
      seen: { before: position.count, now: first.count },
    };
  }
  if (first.newest > now + CLOCK_SKEW) {
    yield {
      name: 'rows-from-the-future',
      message: "Rows of the log are dated after the catalogue's own time",
      seen: { newest: formatInstant(first.newest), now: formatInstant(now) },
    };
  }
}

/** Logs that rows showed up or vanished before the overlap. `rows` is negative where they vanished. */
export function warnOfDifference(rows: number, { log }: PollOptions, report: Report): void {
  report.facts.difference = rows;
  log.info(
    rows > 0
      ? 'Rows showed up in the log before the overlap; they are searched for'
      : 'Rows vanished from the log before the overlap; was a panel hidden?',
    { rows: Math.abs(rows) },
  );
}

/** Logs what a rolled-back state means, before anything is published from it. */
export function warnOfRollback(
  { position, pending }: Pick<Stored, 'position' | 'pending'>,
  { found, mark }: Rollback,
  { name, log }: PollOptions,
  report: Report,
): void {
  report.anomaly('state-set-back');
  log.error(
    `State and history of catalogue "${name}" are not as its last run left them. Every row that the log shows after its mark is published again, with the same event ids; an event that the history lacks may say less of what was before.`,
    {
      anomaly: 'state-set-back',
      found,
      mark: formatInstant(position.mark),
      ...(mark !== null && { markInUse: formatInstant(mark) }),
      recordedEvents: pending?.messages.length ?? 0,
    },
  );
}
