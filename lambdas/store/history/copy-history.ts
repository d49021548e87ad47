import type { PanelEvent } from '../../events/schemas.ts';
import { type Instant, later, parseInstant } from '../../run/instant.ts';
import type { History, HistoryRecord } from './history.ts';

/** Events that are kept in one write. */
const GROUP = 500;

interface CopiedEvents {
  readonly from: Pick<History, 'findRecords' | 'coverage'>;
  readonly to: Pick<History, 'append'>;
  /** Only events at or after this time; all of them where absent. */
  readonly since?: Instant | undefined;
  /** Only events before this time. */
  readonly until?: Instant | undefined;
  /** The copy ends after so many events, and all others of the time of the last one; all of them where absent. */
  readonly most?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far a copy went. */
interface CopiedPart {
  readonly count: number;
  /** Events before this time were left; null where none was. */
  readonly reached: Instant | null;
}

/**
 * Copies published events into another history, newest first, byte for byte; one that is there already stays. What the periods
 * say is copied last and for the time that was copied, so that a copy that ends early claims to cover nothing more.
 * @throws {HistoryError} when one cannot be read or the other not be written
 * @throws the reason of the signal, once it is aborted
 */
export async function copyHistory(copied: CopiedEvents): Promise<CopiedPart> {
  const { from, to, since, until, most = Number.POSITIVE_INFINITY, signal } = copied;
  const covered = await from.coverage();
  let group: HistoryRecord[] = [];
  let at = until ?? 0n;
  let count = 0;
  let reached: Instant | null = null;
  const keep = async (): Promise<void> => {
    // An event without a time is kept at the end of its period: here at the time of the event after it.
    if (group.length > 0) await to.append(group, { catalogue: '', since: at, until: at });
    group = [];
  };
  const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  for await (const record of from.findRecords({ order: 'newest', ...period })) {
    signal?.throwIfAborted();
    const time = parseInstant((JSON.parse(record.body) as PanelEvent).time);
    if (time !== null && time < at && count >= most) {
      reached = at;
      break;
    }
    if (time === null || group.length === GROUP) await keep();
    group.push(record);
    count += 1;
    if (time === null) await keep();
    else at = time;
  }
  await keep();
  const begin = reached ?? since ?? 0n;
  for (const { catalogue, ...each } of covered) {
    const end = until !== undefined && until < each.until ? until : each.until;
    if (begin < end) await to.append([], { catalogue, since: later(begin, each.since), until: end });
    // Whoever reads the copy sees by this moment that the history begins earlier, and that the time between was not read.
    if (reached !== null && each.since < reached)
      await to.append([], { catalogue, since: each.since - 1n, until: each.since });
  }
  return { count, reached };
}
