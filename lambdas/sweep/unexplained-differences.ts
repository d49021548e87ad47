import { type Instant, instantOf, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import type { Difference } from './difference.ts';
import type { PanelDifferences } from './differences-of.ts';
import { explainedByLog } from './explained-by-log.ts';

const DAY: Instant = instantOf(24 * 60 * 60 * 1000);
/** A row that surfaced this late may explain what the listings show now. */
const LATE: Instant = 7n * DAY;
const SECOND: Instant = instantOf(1000);

interface UnexplainedOptions {
  readonly catalogue: string;
  readonly history: Pick<History, 'find'>;
  /** When the stored listing was read, in milliseconds since the epoch. */
  readonly storedAt: number;
  /** When the later listing was read. The log was read after it, and may have gone on. */
  readonly listedAt: number;
}

/** The differences of one panel that the activity log does not explain. */
export async function unexplainedDifferences(
  { id, differences, known, since }: PanelDifferences,
  { catalogue, history, storedAt, listedAt }: UnexplainedOptions,
): Promise<readonly Difference[]> {
  if (differences.length === 0) return [];
  // The `Date` header of the listing has whole seconds.
  const from = instantOf(since ?? storedAt) - SECOND;
  const events: PanelEvent[] = [];
  const dayBefore: PanelEvent[] = [];
  const found = history.find({
    catalogue,
    since: from - LATE,
    filter: { panels: [id] },
    order: 'oldest',
  });
  for await (const event of found) {
    // An earlier sweep found an earlier change: a panel can be withdrawn twice.
    if ('via' in event.data.change && event.data.change.via === 'listing') continue;
    const at = Date.parse(event.time ?? '') * 1000;
    // A row that surfaced late was unknown when the stored listing was read.
    if (at >= Number(from) || event.data.late) events.push(event);
    else if (at >= Number(from - DAY)) dayBefore.push(event);
  }
  const after = known.lastListedAt === undefined ? known.panel : null;
  // A page of the listing shows the panel as it was at some moment between the first page and the reading of the log.
  const until = instantOf(listedAt) + SECOND;
  const before = events.filter((event) => (parseInstant(event.time) ?? 0n) < until);
  const later = events.filter((event) => !before.includes(event));
  const moments = Array.from({ length: later.length + 1 }, (_, count) => [
    ...before,
    ...later.slice(0, count),
  ]);
  return differences.filter(
    (found) => !moments.some((seen) => explainedByLog(found, { after, events: seen, dayBefore })),
  );
}
