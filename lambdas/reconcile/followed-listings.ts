import { comparePanel } from '../differences/compare.ts';
import { type PanelEvent, typeName } from '../events/schemas.ts';
import { type ListedTwice, panelsOfListings } from './differences-of.ts';
import type { KnownPanel } from './listed.ts';
import { type EventsByPanel, eventsSince } from './published-events.ts';
import type { ReadListings } from './read-listings.ts';
import type { StoredSweep } from './sweep-state.ts';

/** Both listings, and what was published before they were read. */
export interface FollowedListings extends ReadListings {
  /** The version of the poller's position up to which events were published before the first page was read. */
  readonly publishedTo: number;
  /** These events, since the stored listing, by panel. */
  readonly events: EventsByPanel;
}

/**
 * The stored listing once the events up to the later listings are contained in it: the numbers to which they lead are
 * kept, and the events of hidden panels.
 */
export function followedTo(stored: StoredSweep, listings: FollowedListings): StoredSweep {
  const { publishedTo, events, listedAt } = listings;
  const listed = new Map(panelsOfListings(stored.snapshot, listings).map((panel) => [panel.id, panel]));
  const panels = new Map(stored.snapshot.panels);
  for (const id of events.keys()) {
    const known = panels.get(id);
    if (known) panels.set(id, following(known, listed.get(id), listings));
  }
  return { ...stored, readTo: publishedTo, snapshot: { listedAt, panels } };
}

function following(
  known: KnownPanel,
  listed: ListedTwice | undefined,
  { events }: FollowedListings,
): KnownPanel {
  const own = eventsSince(known, events.get(known.panel.id));
  if (known.lastListedAt !== undefined) return { ...known, events: beforeHidden(own) };
  if (!listed || listed.differs) return known;
  const { before, after } = listed;
  return { ...known, expected: comparePanel({ before, events: own, after, via: 'listing' }).expected };
}

/** The events that a panel has to be followed through once it comes back: that it was hidden is known. */
export function beforeHidden(events: readonly PanelEvent[]): PanelEvent[] {
  return events.filter(({ type }) => !ofVisibility.has(type));
}

const ofVisibility: ReadonlySet<string> = new Set(
  (['panel.created', 'panel.published', 'panel.withdrawn', 'panel.deleted'] as const).map(typeName),
);
