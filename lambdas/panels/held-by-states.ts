import { type HeldByPanel, type HeldNames, heldNames } from '../store/history/unknown-names.ts';
import type { CatalogueListing } from '../store/listing.ts';
import type { PanelStateStore } from './panel-state-store.ts';

interface KeptStates {
  readonly catalogues: readonly string[];
  readonly statesOf: (catalogue: string) => Pick<PanelStateStore, 'panels' | 'newest'>;
  readonly listings: readonly CatalogueListing[];
}

/**
 * The names on the listed panels, by the newest state of each panel: one query a panel.
 * @throws {StateError} when a state cannot be read
 */
export async function heldByStates({ catalogues, statesOf, listings }: KeptStates): Promise<HeldNames> {
  const states: HeldByPanel[] = [];
  for (const catalogue of catalogues) {
    const store = statesOf(catalogue);
    for (const { panelId } of await store.panels()) {
      const state = await store.newest(panelId);
      if (state) states.push({ catalogue, panelId, entities: state.entities });
    }
  }
  return heldNames(states, listings);
}
