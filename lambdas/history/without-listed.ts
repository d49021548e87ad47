import { type Instant, instantOf, parseInstant } from '../clock/instant.ts';
import { isSilent } from '../differences/difference.ts';
import { withoutPublished } from '../differences/published-before.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { StateStore } from '../state/store.ts';
import type { History } from './history.ts';

/** Drops events of the log that a sweep published already. */
export type WithoutListed = (events: readonly PanelEvent[]) => Promise<readonly PanelEvent[]>;

interface ListedEvents {
  readonly history: Pick<History, 'find'>;
  readonly facts: Pick<StateStore, 'listing'>;
}

/**
 * Drops events of the log that a sweep published already: a row that surfaces late may state what the listings
 * showed before. Only rows from before the last stored listing can, so that others cost no look into the history.
 */
export function createWithoutListed({ history, facts }: ListedEvents): WithoutListed {
  let lastListing: Promise<Instant> | undefined;
  const unpublishedPartOf = async (event: PanelEvent): Promise<PanelEvent | null> => {
    const { panel } = event.data;
    const at = parseInstant(event.time);
    if (typeof panel?.id !== 'number' || at === null) return event;
    lastListing ??= facts.listing().then((listing) => listing?.readAt ?? 0n);
    // The `Date` header of a listing has whole seconds.
    if (at > (await lastListing) + SECOND) return event;
    const silent: PanelEvent[] = [];
    const filter = { panels: [panel.id] };
    for await (const other of history.find({
      catalogue: event.data.catalogue,
      since: at - SECOND,
      filter,
      order: 'oldest',
    })) {
      if (isSilent(other.data.change)) silent.push(other);
    }
    return withoutPublished(event, silent);
  };
  return async (events) => {
    const kept: PanelEvent[] = [];
    for (const event of events) {
      const left = await unpublishedPartOf(event);
      if (left) kept.push(left);
    }
    return kept;
  };
}

const SECOND: Instant = instantOf(1000);
