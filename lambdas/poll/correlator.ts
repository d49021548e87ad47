import { classify } from '../classifier/classify.ts';
import { later } from '../clock/instant.ts';
import { correlate, entitiesOf } from '../correlation/correlate.ts';
import { type Entry, inOrder, type ReadEntry } from '../correlation/entry.ts';
import { toMessage } from '../publishing/message.ts';
import type { Chunk, Known, KnownEntities, Listing, StateStore } from '../state/store.ts';
import { readRows } from './log-page.ts';
import { type PanelSource, panelFacts } from './panel-facts.ts';

/** Makes messages of rows, with what is known of their entities. */
export interface Correlator {
  /** What a chunk of rows has to tell; it is not known to later chunks before `learn`. */
  correlate(rows: readonly Entry[]): Promise<Omit<Chunk, 'next'>>;
  /** Takes over what a chunk made known, once the chunk is safe. */
  learn(known: KnownEntities): void;
}

export interface CorrelatorOptions extends PanelSource {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly store: StateStore;
}

/** Known entities and panels are read from the store when they are first wanted, and then kept for the run. */
export function createCorrelator(run: CorrelatorOptions): Correlator {
  const known = new Map<string, Known>();
  const asked = new Set<string>();
  let panels: Listing['panels'] | undefined;
  return {
    async correlate(rows) {
      const unread = entitiesOf(rows).filter((key) => !asked.has(key));
      if (unread.length > 0) for (const [key, value] of await run.store.known(unread)) known.set(key, value);
      for (const key of unread) asked.add(key);
      panels ??= await panelFacts(
        rows.flatMap(({ activity }) => activity?.panel_id ?? []),
        run,
      );
      const correlated = correlate(rows, known, {
        catalogue: { name: run.name, url: run.catalogue.url },
        panels,
      });
      const newest = rows.map(({ at }) => at).reduce(later, 0n);
      return {
        messages: correlated.events.map(toMessage),
        rows: { keys: rows.map(({ key }) => key), newest },
        known: correlated.known,
      };
    },
    learn: (learnt) => {
      for (const [key, value] of learnt) known.set(key, value);
    },
  };
}

/** All rows of a log that is at hand: each once, in the order of events, with what it says. */
export function entriesOf(rows: readonly unknown[]): readonly Entry[] {
  return [...readRows(rows)].sort(inOrder).map(read);
}

/** A row with what it says. */
export function read(entry: Entry): Entry {
  return entry.activity ? ({ ...entry, reading: classify(entry.activity) } as ReadEntry) : entry;
}
