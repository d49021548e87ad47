import { rCodesIn } from '../../events/r-codes.ts';
import { type Filter, normalized } from '../../filters/filter.ts';
import { createNameBook, type Names, nameKey, panelKey } from '../../filters/names.ts';
import { namesLike, offerOf } from '../../filters/nearest.ts';
import { formatInstant } from '../../run/instant.ts';
import type { CatalogueListing } from '../listing.ts';
import type { History, HistoryQuery, StatedKey } from './history.ts';

/** Where names are looked up. */
export interface NamedPlace {
  readonly history: Pick<History, 'findWithoutRows' | 'names' | 'entityKeys' | 'states' | 'coverage'>;
  /** Whether look-ups cost nothing. In a deployed table, some are limited to the period that was asked for. */
  readonly isLocal: boolean;
  /** The last listing of panels of each catalogue that has one. */
  listings(): Promise<readonly CatalogueListing[]>;
  /** What the panels hold now, where their states are kept; absent where states are not looked up. */
  held?(): Promise<HeldNames>;
}

/** Where the names of a filter were searched, and with what result. */
interface Asked extends Pick<HistoryQuery, 'catalogue' | 'since' | 'until'> {
  /** How many events the whole filter found. */
  readonly found: number;
}

/**
 * The names of panels and entities that the events and the listings give.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function namesIn({
  history,
  listings,
}: {
  readonly history: Pick<History, 'names'>;
  readonly listings: NamedPlace['listings'];
}): Promise<Names> {
  const known = await history.names();
  const book = createNameBook();
  for (const { catalogue, id, name, formerly } of known.panels()) {
    for (const [place, each] of [...formerly, name].entries()) {
      book.learnPanel({ catalogue, id, name: each, at: String(place).padStart(6, '0') });
    }
  }
  for (const { catalogue, listing } of await listings()) {
    const at = formatInstant(listing.readAt);
    for (const [id, { name, hashId = null }] of listing.panels) {
      book.learnPanel({ catalogue, id, name, at, hashId });
    }
  }
  const { entityKeys, entityKeysOnPanels, hgncIdIn, presentEntityName } = known;
  return Object.assign(book, { entityKeys, entityKeysOnPanels, hgncIdIn, presentEntityName });
}

/** A filter value that matches nothing in the history: it may be misspelt, and its answer is no all-clear. */
export interface UnknownName {
  readonly key: keyof Filter;
  readonly value: string;
  readonly statement: string;
  /** The statement, and what may be meant instead, in whole sentences. */
  readonly sentence: string;
}

/** Tags and actors are looked up one by one, which takes too long for a long list. */
const MOST_LOOKED_UP = 50;
/** More catalogues are not offered. */
const MOST_OFFERED = 3;

/**
 * The names in a filter that neither an event nor a listing has.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function unknownNames(
  place: NamedPlace,
  filter: Filter,
  asked: Asked,
): Promise<readonly UnknownName[]> {
  const { panels, panelTypes, rCodes, genes, tags, actors } = filter;
  const catalogues = asked.catalogue === undefined ? filter.catalogues : [asked.catalogue];
  if (!(panels ?? panelTypes ?? rCodes ?? genes ?? tags ?? actors ?? catalogues)) return [];
  const inCatalogue = ({ catalogue }: { readonly catalogue: string }): boolean =>
    asked.catalogue === undefined || asked.catalogue === catalogue;
  const allListings = await place.listings();
  const listings = allListings.filter(inCatalogue);
  const names = await namesIn({ history: place.history, listings: async () => listings });
  const where = listings.length > 0 ? '' : ' in what was read';
  const facts = listings.flatMap(({ listing }) => [...listing.panels.values()].map((panel) => panel.facts));
  const known = names.panels().filter(inCatalogue);
  const ids = new Set([
    ...known.map(({ id }) => id),
    ...listings.flatMap(({ listing }) => [...listing.panels.keys()]),
  ]);
  const found: UnknownName[] = [];
  const add = (key: keyof Filter, value: string, statement: string, offered: readonly string[] = []): void =>
    void found.push({ key, value, statement, sentence: `${statement}${offerOf(offered)}` });

  if (catalogues) {
    const covered = await place.history.coverage();
    const followed = new Set([...covered, ...allListings].map(({ catalogue }) => catalogue));
    for (const value of catalogues.filter((name) => !followed.has(name)))
      add(
        'catalogues',
        value,
        `No catalogue called “${value}” has been read.`,
        [...followed].slice(0, MOST_OFFERED),
      );
    if (asked.catalogue !== undefined && found.length > 0) return found;
  }
  for (const panel of panels ?? []) {
    const value = String(panel);
    if (/^\d+$/.test(value)) {
      if (!ids.has(Number(value))) add('panels', value, `No panel has the id ${value}${where}.`);
    } else if (!names.panelsCalled(value).some(inCatalogue)) {
      const offered = namesLike(
        value,
        known.map(({ name }) => name),
      );
      add('panels', value, `No panel is called “${value}”${where}.`, offered);
    }
  }
  const types = new Set(facts.flatMap((each) => each.types));
  const codes = new Set(facts.flatMap((each) => rCodesIn(each.relevantDisorders)));
  const hasEvent = eventLookUp(place, asked);
  for (const value of panelTypes ?? []) {
    if (types.has(value) || (await hasEvent('panelTypes', value))) continue;
    add('panelTypes', value, `No panel has the type “${value}”${where}.`, namesLike(value, [...types]));
  }
  for (const value of rCodes ?? []) {
    if (codes.has(value.toUpperCase()) || (await hasEvent('rCodes', value))) continue;
    add('rCodes', value, `No panel has the code ${value}${where}.`);
  }
  if (genes) {
    const keys = await place.history.entityKeys();
    const entities = keys && new Set(keys);
    let held: HeldNames | undefined;
    for (const value of entities || genes.length <= MOST_LOOKED_UP ? genes : []) {
      const keysOfValue = names.entityKeys(value);
      const isKnown = entities
        ? keysOfValue.some((key) => entities.has(key))
        : await hasEvent('genes', value);
      if (isKnown) continue;
      held ??= await place.held?.();
      if (keysOfValue.some((key) => held?.keys.has(key))) continue;
      const offered = namesLike(value, [...(keys ?? []), ...(held?.keys ?? [])]).map((key) =>
        key.toUpperCase(),
      );
      add('genes', value, `No gene, STR or region is called “${value}” in what was read.`, offered);
    }
  }
  for (const [key, what, values = []] of [
    ['tags', 'tag', tags],
    ['actors', 'curator or reviewer', actors],
  ] as const) {
    for (const value of values.length <= MOST_LOOKED_UP ? values : []) {
      if (await hasEvent(key, value)) continue;
      add(key, value, `No event that was read has the ${what} “${value}”.`);
    }
  }
  return found;
}

/** Whether an event has a value: of the whole history where that costs nothing, else of the period asked for. */
function eventLookUp(
  { history, isLocal }: NamedPlace,
  { catalogue, since, until }: Asked,
): (key: StatedKey | 'genes', value: string) => Promise<boolean> {
  const scope = catalogue === undefined ? {} : { catalogue };
  const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  return async (key, value) => {
    const filter: Filter = { [key]: [value] };
    if (key !== 'genes') {
      const [compared = value] = normalized(filter)[key] ?? [];
      const isStated = await history.states(key, compared, catalogue);
      if (isStated !== null) return isStated;
    }
    const where = isLocal || key === 'genes' ? scope : { ...scope, ...period };
    for await (const _event of history.findWithoutRows({ ...where, filter, limit: 1 })) return true;
    return false;
  };
}

/** The genes, STRs and regions that the newest kept states of listed panels hold. */
export interface HeldNames {
  /** Names and HGNC ids, in the form of `nameKey`. */
  readonly keys: ReadonlySet<string>;
  /** Whether the state of every listed panel is kept: what is not among the names is on no panel. */
  readonly isWhole: boolean;
}

/** What the newest state of one panel holds. */
export interface HeldByPanel {
  readonly catalogue: string;
  readonly panelId: number;
  readonly entities: Iterable<{ readonly name: string; readonly hgncId: string | null }>;
}

/** The names on the panels that are listed; a catalogue without a listing counts with every panel, and is not whole. */
export function heldNames(states: readonly HeldByPanel[], listings: readonly CatalogueListing[]): HeldNames {
  const listed = new Map(listings.map(({ catalogue, listing }) => [catalogue, listing.panels]));
  const keys = new Set<string>();
  const kept = new Set<string>();
  for (const { catalogue, panelId, entities } of states) {
    kept.add(panelKey(catalogue, panelId));
    if (listed.get(catalogue)?.has(panelId) === false) continue;
    for (const { name, hgncId } of entities) {
      keys.add(nameKey(name));
      if (hgncId !== null) keys.add(nameKey(hgncId));
    }
  }
  const isWhole =
    listings.length > 0 &&
    states.every(({ catalogue }) => listed.has(catalogue)) &&
    listings.every(({ catalogue, listing }) =>
      [...listing.panels.keys()].every((id) => kept.has(panelKey(catalogue, id))),
    );
  return { keys, isWhole };
}

/** More sentences about genes are not written: a filter may have thousands. */
const MOST_SENTENCES = 3;

/**
 * Sentences about what the names of a filter find besides what a reader expects: the changes of every panel that has or had a
 * name, and on a panel where a curator replaced one symbol by another, the changes under both.
 */
export function namesFoundToo(filter: Filter, names: Names): readonly string[] {
  return [...sharedNames(filter, names), ...replacedNames(filter, names)];
}

function sharedNames({ panels = [] }: Filter, names: Names): readonly string[] {
  return panels.flatMap((panel) => {
    const called = typeof panel === 'string' ? names.panelsCalled(panel) : [];
    const byCatalogue = [...Map.groupBy(called, ({ catalogue }) => catalogue).values()];
    return byCatalogue
      .filter((several) => several.length > 1)
      .map((several) => {
        const each = several.map(({ id, name }) => `${id} (now “${name}”)`).join(' and ');
        return `“${panel}” is or was the name of the panels ${each}: their changes are all here. Give an id for one of them.`;
      });
  });
}

function replacedNames(filter: Filter, names: Names): readonly string[] {
  const { panelIds, namedPanels = [] } = normalized(filter, names);
  const asked = panelIds && new Set([...panelIds, ...namedPanels.map(({ id }) => id)]);
  const sentences = (filter.genes ?? []).flatMap((gene) =>
    names
      .entityKeysOnPanels(gene)
      .filter(({ panelId }) => asked?.has(panelId) ?? true)
      .map(({ catalogue, panelId, spelled }) => {
        const panel = names.panel(catalogue, panelId)?.name ?? `panel ${panelId}`;
        const others = spelled.map((name) => `“${name}”`).join(' and ');
        return `On ${panel}, ${gene} also finds the changes of ${others}: a curator replaced one name by the other there.`;
      }),
  );
  const more = sentences.length - MOST_SENTENCES;
  if (more <= 1) return sentences;
  return [
    ...sentences.slice(0, MOST_SENTENCES),
    `The same holds for ${more} more names of the filter on their panels.`,
  ];
}
