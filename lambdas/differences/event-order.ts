import type { PanelEvent } from '../events/schemas.ts';
import { type Instant, parseInstant } from '../run/instant.ts';
import { isSilent } from './difference.ts';

/** The time of an event; 0 where it has none. */
export const timeOf = (event: PanelEvent): Instant => parseInstant(event.time) ?? 0n;

/**
 * A row that renames an entity states its other changes under the new name. What was found without a row has the time at which
 * its version began, so that an entity may have been renamed after its other changes.
 */
const renamesFirst = ({ type, data: { change } }: PanelEvent): number =>
  type === 'gene-panel.entity.renamed.v1' && !isSilent(change) ? 0 : 1;

/** Which of two events is followed first: the older one; of one time, a row's renaming. Others stay as they were published. */
export const compareInOrder = (one: PanelEvent, other: PanelEvent): number =>
  Number(timeOf(one) - timeOf(other)) || renamesFirst(one) - renamesFirst(other);

/** Events in the order in which a panel is followed through them: late rows are found in another one. */
export const inOrder = (events: readonly PanelEvent[]): PanelEvent[] => events.toSorted(compareInOrder);
