import type { ClassifiedRow } from '../classifier/classify-row.ts';
import { type Correlated, correlate, entitiesOf } from '../correlation/correlate.ts';
import type { EntityState, EntityStates, Listing, StateStore } from '../state/store.ts';
import { type PanelSource, panelFacts } from './panel-facts.ts';

/** Correlates chunks of rows, one after the other, with the state that is kept of their entities. */
export interface Correlator {
  /** The events of a chunk. Later chunks do not know its ratings before `learn`. */
  correlate(rows: readonly ClassifiedRow[]): Promise<Correlated>;
  /** Takes over what a chunk made known, once the chunk is published. */
  learn(known: EntityStates): void;
}

interface CorrelatorOptions extends PanelSource {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly store: StateStore;
}

/** Reads known entities and panels from the store when a row first needs them, and keeps them for the run. */
export function createCorrelator(run: CorrelatorOptions): Correlator {
  const known = new Map<string, EntityState>();
  const loaded = new Set<string>();
  let panels: Listing['panels'] | undefined;

  const loadEntities = async (rows: readonly ClassifiedRow[]): Promise<void> => {
    const missing = entitiesOf(rows).filter((key) => !loaded.has(key));
    if (missing.length === 0) return;
    for (const [key, value] of await run.store.entities(missing)) known.set(key, value);
    for (const key of missing) loaded.add(key);
  };

  return {
    async correlate(rows) {
      await loadEntities(rows);
      panels ??= await panelFacts(
        rows.flatMap((row) => (row.kind === 'invalid' ? [] : [row.activity.panel_id])),
        run,
      );
      return correlate(rows, known, { catalogue: { name: run.name, url: run.catalogue.url }, panels });
    },
    learn: (learnt) => {
      for (const [key, value] of learnt) known.set(key, value);
    },
  };
}
