import type { PanelEvent } from '../../events/schemas.ts';
import { type Instant, parseInstant } from '../../run/instant.ts';
import type { History, HistoryRecord } from './history.ts';

/** Events that are kept in one write. */
const GROUP = 500;

interface CopiedEvents {
  readonly from: Pick<History, 'findRecords' | 'coverage'>;
  readonly to: Pick<History, 'append'>;
  /** Only events at or after this time; all of them where absent. */
  readonly since?: Instant | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies published events into another history, byte for byte; one that is there already stays. What the periods say is
 * copied last, so that a copy that ends early claims to cover nothing more.
 * @throws {HistoryError} when one cannot be read or the other not be written
 * @throws the reason of the signal, once it is aborted
 */
export async function copyHistory({ from, to, since, signal }: CopiedEvents): Promise<void> {
  const covered = await from.coverage();
  let group: HistoryRecord[] = [];
  let at = since ?? 0n;
  const keep = async (): Promise<void> => {
    // An event without a time is kept at the end of its period: here at the time of the event before it.
    if (group.length > 0) await to.append(group, { catalogue: '', since: at, until: at });
    group = [];
  };
  for await (const record of from.findRecords({ order: 'oldest', ...(since !== undefined && { since }) })) {
    signal?.throwIfAborted();
    const time = parseInstant((JSON.parse(record.body) as PanelEvent).time);
    if (time === null || group.length === GROUP) await keep();
    group.push(record);
    if (time === null) await keep();
    else at = time;
  }
  await keep();
  for (const period of covered) await to.append([], period);
}
