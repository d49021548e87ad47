import { eventsOf } from '../differences/events-of.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { factsOfStates } from '../panels/state-facts.ts';
import type { VersionState } from '../panels/version-state.ts';
import { eventsBetween, eventsOfSuccessor } from './events-between.ts';
import { unexplainedOf } from './unexplained.ts';

interface Versions {
  readonly before: VersionState;
  readonly after: VersionState;
  /** Every known event of the panel. */
  readonly events: readonly PanelEvent[];
  readonly catalogue: { readonly name: string; readonly url: string };
}

/** What leads from one version of a panel to a later one. */
export interface ComparedVersions {
  /** The known events between the two, oldest first. */
  readonly events: readonly PanelEvent[];
  /**
   * What the states show besides, as events that were never published: somewhere between the two versions, at a time and a
   * version that are unknown, so that both are empty.
   */
  readonly unexplained: readonly PanelEvent[];
}

/** Compares any two versions of a panel, however many lie between them. */
export function compareVersionStates({ before, after, events, catalogue }: Versions): ComparedVersions {
  const between = eventsBetween({ before, after }, events);
  const differences = unexplainedOf({
    before,
    after,
    events: between,
    next: eventsOfSuccessor({ before, after }, events),
  });
  const found = eventsOf({ id: after.panelId, name: after.panelName, version: null }, differences, {
    catalogue,
    foundAgainst: `${before.version} ${after.version}`,
    at: after.validFrom,
    facts: undefined,
    known: factsOfStates([before, after], []),
  });
  return { events: between, unexplained: found.map((event) => ({ ...event, time: '' })) };
}
