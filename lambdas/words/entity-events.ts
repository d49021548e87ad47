import type { PanelEvent } from '../events/schemas.ts';
import { entitiesOfEvents } from '../filters/folded-entities.ts';
import { changeSorts, sortOf } from './change-sorts.ts';

/** The events of one entity of a panel, under any of its names. */
export interface EntityEvents {
  /** The most important one; of several equal ones, the last. */
  readonly main: PanelEvent;
  /** The others, oldest first. */
  readonly beside: readonly PanelEvent[];
}

/** Events by the entity that they are about, oldest first; an event about no entity stands alone. */
export function entityEvents(events: readonly PanelEvent[]): readonly EntityEvents[] {
  const entityOf = entitiesOfEvents(events);
  const groups = Map.groupBy(events, (event) => entityOf(event) ?? event.id);
  return [...groups.values()].map((own): EntityEvents => {
    const main = own.reduce((first, event) => (rankOf(event) <= rankOf(first) ? event : first));
    return { main, beside: own.filter((event) => event !== main) };
  });
}

/** The place of an event in the order of sorts: the lowest is the most important. */
export function rankOf(event: PanelEvent): number {
  const sort = sortOf(event);
  return sort === undefined ? changeSorts.length : changeSorts.indexOf(sort);
}
