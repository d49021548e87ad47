import type { Changes, EventKindName } from '../events/changes.ts';
import type { Entity } from '../events/schemas.ts';

/** One difference between two listings, in the shape of the event that would report it. */
export type Difference = {
  [Kind in EventKindName]: {
    readonly kind: Kind;
    readonly change: Changes[Kind];
    /** The region that differs; null where the panel itself does. */
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
