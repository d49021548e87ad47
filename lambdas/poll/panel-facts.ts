import type { Catalogue } from '../catalogue/client.ts';
import type { Panel } from '../catalogue/schemas.ts';
import type { Clock } from '../clock/clock.ts';
import type { PanelFacts } from '../events/schemas.ts';
import type { Log } from '../log/log.ts';
import type { Listing, StateStore } from '../state/store.ts';

/** A listing is asked for again after a day; the facts of panels change rarely. */
const FRESH_MS = 24 * 60 * 60 * 1000;

export interface PanelSource {
  readonly catalogue: Catalogue;
  readonly store: Pick<StateStore, 'listing' | 'saveListing'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What `/panels/` says of each panel, by id: from the store while it is fresh and knows the panels asked for,
 * else from the catalogue. Events can do without, so that a catalogue that does not list its panels only
 * leaves the facts out.
 */
export async function panelFacts(
  wanted: readonly number[],
  { catalogue, store, clock, log }: PanelSource,
): Promise<Listing['panels']> {
  const stored = await store.listing();
  const age = clock.now() - (stored?.listedAt ?? 0);
  if (stored && age < FRESH_MS && wanted.every((id) => stored.panels.has(id))) return stored.panels;
  // A panel that is not listed (just deleted, or not public) must not cause a listing with every poll.
  if (stored && age < MISSING_MS) return stored.panels;
  try {
    const panels = new Map((await catalogue.panels()).map((panel) => [panel.id, factsOf(panel)]));
    await store.saveListing({ panels, listedAt: clock.now() });
    return panels;
  } catch (error) {
    log.warn('The panels could not be listed; events go without their types and disorders', { error });
    return stored?.panels ?? new Map();
  }
}

const MISSING_MS = 60 * 60 * 1000;

/** The facts of a panel that events carry (interface specification, "Panel"). */
export function factsOf(panel: Panel): PanelFacts {
  const types = panel.types.map(({ slug }) => slug);
  return {
    types,
    diseaseGroup: panel.disease_group,
    diseaseSubGroup: panel.disease_sub_group,
    relevantDisorders: panel.relevant_disorders,
    signedOff: types.some((slug) => /(?:^|-)signed-off$/.test(slug)),
  };
}
