import { instantOf } from '../clock/instant.ts';
import { isSilent } from '../differences/difference.ts';
import { inOrder } from '../differences/event-order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import type { Published, PublishedEvent } from '../state/published.ts';
import type { StateStore } from '../state/store.ts';
import type { KnownPanel } from './listed.ts';
import type { StoredSweep } from './sweep-state.ts';

interface Reading {
  readonly name: string;
  readonly history: Pick<History, 'find'>;
  readonly state: Pick<StateStore, 'published'>;
}

/** The events that were published since the stored listing was read, in the order in which they were published. */
export async function publishedSince(stored: StoredSweep | null, reading: Reading): Promise<Published> {
  if (stored?.readTo !== undefined || !stored) return await reading.state.published(stored?.readTo ?? 0);
  // An early version did not keep up to where it had read.
  const { version } = await reading.state.published(0);
  const since = instantOf(stored.snapshot.listedAt - 1000);
  const events: PublishedEvent[] = [];
  for await (const event of reading.history.find({ catalogue: reading.name, since, order: 'oldest' })) {
    if (!isSilent(event.data.change)) events.push({ version, event });
  }
  return { version, events };
}

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
