import { formatInstant, type Instant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { Rollback, Stored } from '../store/store.ts';
import { anomaliesOf, defaultShrunkenLogPercent } from './anomalies.ts';
import type { PollOptions } from './poll-options.ts';
import type { Report } from './report.ts';

/** Logs that rows showed up or vanished before the overlap. `rows` is negative where they vanished. */
export function warnOfDifference(rows: number, { log }: PollOptions, report: Report): void {
  report.differs(rows);
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

/** What a log had to say last of each anomaly, while it lasts; a process has one log. */
const lastSeen = new WeakMap<Log, Map<string, string>>();

/**
 * Logs the anomalies of the newest page, each once while it stays the same; none of them stops a poll.
 * @throws {HistoryError} when it is to be read and cannot be
 */
export async function warnOfAnomalies(
  given: Omit<Parameters<typeof anomaliesOf>[0], 'shrunkenPercent' | 'vanished'>,
  run: PollOptions,
  report: Report,
): Promise<void> {
  const { log, shrunkenLogPercent: shrunkenPercent = defaultShrunkenLogPercent } = run;
  const { first, position } = given;
  const vanished = first.newest < position.mark ? await panelsSince(first.newest, run) : new Set<number>();
  const examined = { ...given, shrunkenPercent, vanished };
  const before = lastSeen.get(log);
  const now = new Map<string, string>();
  for (const { name, message, seen } of anomaliesOf(examined)) {
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
