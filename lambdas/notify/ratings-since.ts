import type { PanelEvent } from '../events/schemas.ts';
import { instantOf, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { byTime } from './by-time.ts';
import type { Outbox } from './outbox.ts';
import { changesState, stateKinds } from './rating-events.ts';

interface RatingsSources {
  readonly outbox: Outbox;
  readonly history: Pick<History, 'find'> | null;
}

/** The most ratings that the history gives for one message. */
const MOST_RATINGS = 5_000;

/**
 * The events that change the state of an entity, or the name, on the panel of some events: from the first of them among these events to `begun`, when their delivery was begun (milliseconds since the epoch). Oldest first; those outside the
 * subscription's filter are among them.
 */
export async function ratingsSince(
  events: readonly PanelEvent[],
  begun: number,
  { outbox, history }: RatingsSources,
): Promise<readonly PanelEvent[]> {
  const first = events.find(changesState);
  const since = parseInstant(first?.time);
  const id = first?.data.panel?.id ?? null;
  if (!first || since === null || id === null) return [];
  const last = new Date(begun).toISOString();
  const ratings = (await outbox.keptRatings()).filter(({ time = '' }) => time <= last);
  if (!history) return ratings.sort(byTime);
  const found = history.find({
    catalogue: first.data.catalogue,
    since,
    until: instantOf(begun) + 1n,
    filter: { panels: [id], types: [...stateKinds] },
    order: 'oldest',
    limit: MOST_RATINGS,
  });
  for await (const event of found) if (changesState(event)) ratings.push(event);
  return ratings.sort(byTime);
}
