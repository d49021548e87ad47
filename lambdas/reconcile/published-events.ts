import { inOrder } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Published, PublishedEvent } from '../store/published.ts';
import type { KnownPanel } from './listed.ts';

/** Events by the id of their panel. */
export type EventsByPanel = ReadonlyMap<number, readonly PublishedEvent[]>;

/** Published events by the id of their panel, up to a version of the position. */
export function byPanel({ events }: Published, until = Number.POSITIVE_INFINITY): EventsByPanel {
  const known = events.filter(({ version, event }) => version <= until && event.data.panel?.id != null);
  return Map.groupBy(known, ({ event }) => event.data.panel?.id ?? 0);
}

/**
 * The events of a panel that its stored state does not contain yet, by the times of their rows: late rows are found
 * in another order.
 */
export function eventsSince(
  known: KnownPanel | undefined,
  published: readonly PublishedEvent[] = [],
): PanelEvent[] {
  const readTo = known?.readTo ?? 0;
  const later = published.flatMap(({ version, event }) => (version > readTo ? [event] : []));
  return inOrder([...(known?.events ?? []), ...later]);
}
