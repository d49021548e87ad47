import type { Changes, EventKindName } from '../events/changes.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { type Instant, parseInstant } from '../run/instant.ts';

/** How a change without a row was found: by comparing two listings, or two states of one panel. */
export type Via = 'listing' | 'snapshot';

/** One silent difference of a panel, in the shape of the event that publishes it. */
export type Difference = {
  [Kind in EventKindName]: {
    readonly kind: Kind;
    readonly change: Changes[Kind];
    /** The entity that differs; null where the panel itself does. */
    readonly entity: Entity | null;
  };
}[EventKindName];

/** A difference of one kind. */
export function difference<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  entity: Entity | null = null,
): Difference {
  return { kind, change, entity } as Difference;
}

/** Whether a change was found by comparing, without a row of the log. */
export const isSilent = (change: PanelEvent['data']['change']): boolean =>
  isFoundBy('listing', change) || isFoundBy('snapshot', change);

/** Whether a change was found by comparing listings, or states. */
export function isFoundBy(via: Via, change: PanelEvent['data']['change']): boolean {
  return 'via' in change && change.via === via;
}

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

/** What says whether an entity is there, and how it is rated. */
export const heldBy = /entity\.(?:added|classified|removed)\.v1$/;

/**
 * Whether what was found of its version later undid an event, as after a catalogue that lied for some hours.
 * @param published in the order in which they were published
 */
export function isUndone(event: PanelEvent, published: readonly PanelEvent[]): boolean {
  const at = published.findIndex(({ id }) => id === event.id);
  return published.some(
    ({ type, subject, data }, index) =>
      index > at &&
      subject === event.subject &&
      data.panel?.version === event.data.panel?.version &&
      isFoundBy('snapshot', data.change) &&
      (type === event.type || (heldBy.test(type) && heldBy.test(event.type))),
  );
}
