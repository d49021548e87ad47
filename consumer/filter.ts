import { firstStated } from '../lambdas/events/corrections.ts';
import * as filters from '../lambdas/filters/filter.ts';
import { createNameBook, type Names, noNames } from '../lambdas/filters/names.ts';
import { checkFilter } from './check-filter.ts';
import type { Filter } from './event-types.ts';
import type { PanelEvent } from './panel-event.ts';

/** Names that panels and genes have and had, as far as events gave them. */
export interface KnownNames {
  /** Learns the names that an event gives: of its panel, and of what it renames. */
  learn(event: PanelEvent): void;
}

const books = new WeakMap<KnownNames, ReturnType<typeof createNameBook>>();

/**
 * Creates names that learn, to be given to `compileFilter`. Let them learn from events that were published before, such as
 * those that `history` prints with `--type entity.renamed --type panel.changed`.
 */
export function createNames(events: Iterable<PanelEvent> = []): KnownNames {
  const book = createNameBook();
  const names: KnownNames = { learn: book.learnEvent };
  for (const event of events) names.learn(event);
  books.set(names, book);
  return names;
}

/**
 * Whether an event matches; the filter is prepared once, so that a list of thousands of genes costs one look-up. With
 * `names`, any name that a panel or a gene ever had finds all its events. A correction matches too where the event that it corrects
 * did.
 * @throws {TypeError} when the filter has a key that does not exist, or a value that its key does not take
 */
export function compileFilter(filter: Filter, names?: KnownNames): (event: PanelEvent) => boolean {
  checkFilter(filter);
  const known: Names = (names && books.get(names)) ?? noNames;
  let { revision } = known;
  // The lists are only read.
  let matches = filters.compileFilter(filter as filters.Filter, known);
  return (event) => {
    if (known.revision !== revision) {
      revision = known.revision;
      matches = filters.compileFilter(filter as filters.Filter, known);
    }
    const first = matches(event) ? null : firstStated(event);
    return first === null ? matches(event) : matches(first);
  };
}
