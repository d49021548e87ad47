import { typeName } from '../lambdas/events/kinds.ts';
import { firstStated } from '../lambdas/events/summary.ts';
import * as filters from '../lambdas/filters/filter.ts';
import { filterLists } from '../lambdas/filters/filter-lists.ts';
import { createNameBook, type Names, noNames } from '../lambdas/filters/names.ts';
import { nearest } from '../lambdas/filters/nearest.ts';
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

/** The keys of the filter language, and what a value of each is. */
const keys: Readonly<Record<keyof Filter, 'a list' | 'true or false'>> = {
  catalogues: 'a list',
  panels: 'a list',
  panelTypes: 'a list',
  rCodes: 'a list',
  genes: 'a list',
  entityTypes: 'a list',
  topics: 'a list',
  types: 'a list',
  from: 'a list',
  to: 'a list',
  direction: 'a list',
  green: 'a list',
  inheritanceFrom: 'a list',
  inheritanceTo: 'a list',
  tags: 'a list',
  actors: 'a list',
  late: 'true or false',
};

/**
 * Refuses a filter that a program without types got wrong: a key that is misspelt would let every event pass, and a value
 * that is misspelt none.
 * @throws {TypeError} when a key does not exist, or a value is none that its key takes
 */
function checkFilter(filter: Filter): void {
  const lists: Readonly<Partial<Record<string, readonly string[]>>> = filterLists();
  for (const [key, value] of Object.entries(filter)) {
    const expected = Object.hasOwn(keys, key) ? keys[key as keyof Filter] : undefined;
    if (expected === undefined)
      throw refused(`the key ${JSON.stringify(key)}`, `only ${Object.keys(keys).join(', ')}`, [
        key,
        Object.keys(keys),
      ]);
    if (value === undefined) continue;
    const isRight = expected === 'a list' ? Array.isArray(value) : typeof value === 'boolean';
    if (!isRight) throw refused(`${JSON.stringify(value)} as ${key}`, expected);
    const list = lists[key];
    if (list && Array.isArray(value)) checkValues(key, value, list);
  }
}

/** An event type may also be written whole, with `gene-panel.` and `.v1`. */
function checkValues(key: string, values: readonly unknown[], list: readonly string[]): void {
  const whole: readonly string[] = key === 'types' ? filterLists().types.map(typeName) : [];
  const allowed = [...list, ...whole];
  const [wrong] = values.filter((value) => !allowed.includes(value as string)).map(String);
  if (wrong === undefined) return;
  throw refused(`${JSON.stringify(wrong)} in ${key}`, `one of ${list.join(', ')}`, [
    wrong.toLowerCase(),
    allowed,
  ]);
}

function refused(
  seen: string,
  expected: string,
  [text, candidates]: readonly [text: string, candidates: readonly string[]] = ['', []],
): TypeError {
  const near = nearest(text, candidates);
  return new TypeError(
    `The filter has ${seen}. Expected ${expected}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}
