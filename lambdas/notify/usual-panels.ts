import type { ItemStore } from '../store/items.ts';
import { itemValue, outboxValues } from './outbox-values.ts';

/** How many panels of a catalogue change at once, as it was seen so far over all subscriptions. */
export interface UsualPanels {
  /** The most panels of a catalogue that one run made messages about, bursts left out; 0 before the first run. */
  of(source: string): Promise<number>;
  /** Keeps a number that is larger than the one kept. */
  save(source: string, panels: number): Promise<void>;
}

/** One item a catalogue, by the `source` of its events. */
const PARTITION = 'notify#catalogues';

/** What is usual, in the store of all outboxes. */
export function usualPanelsOf(store: ItemStore): UsualPanels {
  const read = async (id: string) => {
    const item = await store.get(PARTITION, id);
    return item && { ...item, panels: itemValue(item, outboxValues.usual).panels };
  };
  return {
    of: async (source) => (await read(source))?.panels ?? 0,
    async save(source, panels) {
      const item = { partition: PARTITION, id: source, value: { panels } };
      while (!(await store.create(item))) {
        const kept = await read(source);
        if (!kept) continue;
        if (kept.panels >= panels || (await store.replace({ ...item, version: kept.version }))) return;
      }
    },
  };
}
