import { type Compared, comparePanel } from '../differences/compare.ts';
import type { Difference } from '../differences/difference.ts';
import { inOrder } from '../differences/difference.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { ListedTwice } from './differences-of.ts';

/** What one panel's events say of its differences. */
interface EventsOfPanel {
  /** Events that were published before the listing was read: it shows where they lead. */
  readonly before: readonly PanelEvent[];
  /** Events of rows that showed up while the listing was read, or after it: it may show where they lead. */
  readonly meanwhile: readonly PanelEvent[];
  /** Events that states of the panel's versions gave. */
  readonly ofStates: readonly PanelEvent[];
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
  { before, meanwhile, ofStates }: EventsOfPanel,
): Unexplained | null {
  // The rows of a panel that appears show up with it, and those of one that vanishes are gone with it.
  const certain =
    visibility === 'vanished'
      ? meanwhile
      : meanwhile.filter(({ data }) => visibility !== 'listed' && data.late);
  const followed = inOrder([...before, ...certain]);
  const byRows = comparePanel({ before: shown, events: followed, after, via: 'listing' });
  const since = ofStates.filter(
    ({ data }) => !isBeforeVersion(data.panel?.version ?? null, shown.facts.version ?? null),
  );
  const byStates = comparePanel({
    before: shown,
    events: inOrder([...followed, ...since]),
    after,
    via: 'listing',
  });
  // An event of a state may be contained in the stored listing already: it explains a difference, and makes none.
  const found = new Set(byRows.differences.map(placeOf));
  const differences = byStates.differences.filter((one) => found.has(placeOf(one)));
  const compared = { ...byRows, differences };
  const followedAll = certain.length === meanwhile.length;
  return followedAll || compared.differences.length === 0 ? { ...compared, followed, followedAll } : null;
}

/** What a difference is about. */
const placeOf = ({ kind, entity }: Difference): string =>
  `${kind} ${entity?.type ?? ''} ${entity?.name ?? ''}`;
