import { readLogRows } from '../catalogue/log-row.ts';
import { classifyLog } from '../classifier/classify-log.ts';
import { chunksOfAll } from '../classifier/correlation/chunks-of-all.ts';
import { correlate } from '../classifier/correlation/correlate.ts';
import { createKnownStates } from '../classifier/correlation/known-states.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { RatingsBefore } from '../panels/ratings-before.ts';

interface EarlierRows {
  /** The rows of one panel, as the catalogue serves them. */
  readonly rows: readonly unknown[];
  /** Events of the panel that were published. */
  readonly published: readonly PanelEvent[];
  readonly catalogue: { readonly name: string; readonly url: string };
  /** The ratings that kept states show before a row. */
  readonly ratingsBefore: RatingsBefore;
}

/**
 * The events of rows that no published event holds, oldest first: those from before the log was followed. They explain
 * versions of that time, and are never published.
 */
export async function earlierEvents({
  rows,
  published,
  catalogue,
  ratingsBefore,
}: EarlierRows): Promise<readonly PanelEvent[]> {
  const keys = new Set(readLogRows(published.flatMap(({ data }) => data.activities)).map(({ key }) => key));
  const earlier = classifyLog(rows).filter(({ key }) => !keys.has(key));
  const known = createKnownStates();
  const events: PanelEvent[] = [];
  for (const chunk of chunksOfAll(earlier)) {
    const ratingBefore = await ratingsBefore(chunk, { entities: known.entities, silent: new Map() });
    const correlated = correlate(chunk, known, { catalogue, listing: null, ratingBefore });
    known.learn(correlated.learnt);
    events.push(...correlated.events);
  }
  return events;
}
