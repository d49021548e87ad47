import { classify } from '../classifier/classify.ts';
import { later } from '../position/instant.ts';
import type { Chunk, Known, KnownEntities, Listing, PositionStore } from '../position/store.ts';
import { toMessage } from '../publishing/message.ts';
import { type Entry, inOrder, type ReadEntry } from '../relating/entry.ts';
import { entitiesOf, relate } from '../relating/relate.ts';
import { readRows } from './log-page.ts';
import { type PanelSource, panelFacts } from './panel-facts.ts';

/** Makes messages of rows, with what is known of their entities. */
export interface Relater {
  /** What a chunk of rows has to tell; it is not known to later chunks before `learn`. */
  relate(rows: readonly Entry[]): Promise<Omit<Chunk, 'next'>>;
  /** Takes over what a chunk made known, once the chunk is safe. */
  learn(known: KnownEntities): void;
}

export interface RelaterOptions extends PanelSource {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly store: PositionStore;
}

/** Known entities and panels are read from the store when they are first wanted, and then kept for the run. */
export function createRelater(run: RelaterOptions): Relater {
  const known = new Map<string, Known>();
  const asked = new Set<string>();
  let panels: Listing['panels'] | undefined;
  return {
    async relate(rows) {
      const unread = entitiesOf(rows).filter((key) => !asked.has(key));
      if (unread.length > 0) for (const [key, value] of await run.store.known(unread)) known.set(key, value);
      for (const key of unread) asked.add(key);
      panels ??= await panelFacts(
        rows.flatMap(({ activity }) => activity?.panel_id ?? []),
        run,
      );
      const related = relate(rows, known, { catalogue: { name: run.name, url: run.catalogue.url }, panels });
      const newest = rows.map(({ at }) => at).reduce(later, 0n);
      return {
        messages: related.events.map(toMessage),
        rows: { keys: rows.map(({ key }) => key), newest },
        known: related.known,
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
