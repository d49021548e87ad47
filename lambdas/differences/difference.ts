import type { Changes, EventKindName } from '../events/changes.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';

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

/** What says whether an entity is there, and how it is rated. */
const heldBy = /entity\.(?:added|classified|removed)\.v1$/;

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
