import { type Compared, comparePanel } from '../differences/compare.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { ListedTwice } from './differences-of.ts';
import { inOrder } from './published-events.ts';

/** What one panel's events say of its differences. */
interface EventsOfPanel {
  /** Events that were published before the listing was read: it shows where they lead. */
  readonly before: readonly PanelEvent[];
  /** Events of rows that showed up while the listing was read, or after it: it may show where they lead. */
  readonly meanwhile: readonly PanelEvent[];
}

/** What is certain of one panel's differences. */
export interface Unexplained extends Compared {
  /** The events that were followed. */
  readonly followed: readonly PanelEvent[];
  /** Whether these are all events of the panel. */
  readonly followedAll: boolean;
}

/**
 * The differences of one panel that the activity log does not explain; null where the log may still explain them, so
 * that they wait for the next sweep.
 */
export function unexplainedDifferences(
  { before: shown, after, visibility }: ListedTwice,
  { before, meanwhile }: EventsOfPanel,
): Unexplained | null {
  // The rows of a panel that appears show up with it, and those of one that vanishes are gone with it.
  const certain =
    visibility === 'vanished'
      ? meanwhile
      : meanwhile.filter(({ data }) => visibility !== 'listed' && data.late);
  const followed = inOrder([...before, ...certain]);
  const compared = comparePanel({ before: shown, events: followed, after, via: 'listing' });
  const followedAll = certain.length === meanwhile.length;
  return followedAll || compared.differences.length === 0 ? { ...compared, followed, followedAll } : null;
}
