import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { nameKey } from '../../lambdas/filters/name-key.ts';
import type { NamedPanel } from '../../lambdas/filters/names.ts';
import { nearest } from '../../lambdas/filters/nearest.ts';
import type { HistoryPages } from '../../lambdas/store/history/sqlite-pages.ts';
import { type NamedPlace, namesIn } from '../../lambdas/store/history/unknown-names.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { panelName } from '../../lambdas/words/panel-words.ts';
import { newestOf } from '../coverage-now.ts';

/** The filters whose values are names that people type. */
export const namedFilters = ['panel', 'gene', 'r-code', 'tag', 'actor'] as const;
type NamedFilter = (typeof namedFilters)[number];

/** Whether a part of an address holds names. */
export const isNamedFilter = (name: string): name is NamedFilter =>
  namedFilters.some((each) => each === name);

/** A name that can be chosen. */
export interface NameChoice {
  /** What an address states. */
  readonly value: string;
  /** The present name, as the catalogue spells it. */
  readonly label: string;
  /** What distinguishes it from others: R codes, former names; may be empty. */
  readonly note: string;
}

/** The names that filters of the page find. */
export interface PageNames {
  /** Names that contain a text, those that begin with it first. */
  containing(filter: NamedFilter, part: string, limit: number): readonly NameChoice[];
  /** Names that a text may misspell. */
  near(filter: NamedFilter, text: string, limit: number): readonly NameChoice[];
  /** The present name of what a value names; the value where that is unknown. */
  labelOf(filter: NamedFilter, value: string): string;
}

/** Where names are read. */
interface NamesSource {
  readonly pages: HistoryPages;
  readonly place: Omit<NamedPlace, 'isLocal'>;
}

type CountedFacet = 'rCodes' | 'tags' | 'actors';

/** The names that events have, the most frequent first. */
interface CountedNames {
  of(facet: CountedFacet): readonly { readonly value: string; readonly label: string }[];
}

/** The most names of genes that are compared with a misspelt one. */
const MOST_COMPARED = 5_000;

/**
 * Reads the names that the history and the listings of panels have.
 * @param allTime counts over the newest events of the whole history
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function readPageNames(
  { pages, place }: NamesSource,
  allTime: () => CountedNames,
): Promise<PageNames> {
  const listings = await place.listings();
  const names = await namesIn({ history: place.history, listings: async () => listings });
  const panelsListed = listings.flatMap(({ catalogue, listing }) =>
    [...listing.panels].map(([id, { facts }]) => ({
      key: `${catalogue} ${id}`,
      codes: rCodesIn(facts.relevantDisorders),
    })),
  );
  const codesByPanel = new Map(panelsListed.map(({ key, codes }) => [key, codes.join(', ')]));
  const listedCodes = panelsListed.flatMap(({ codes }) => codes);
  let kept: CountedNames | undefined;
  const counted = (facet: CountedFacet): ReturnType<CountedNames['of']> => {
    kept ??= allTime();
    return kept.of(facet);
  };
  const panelChoice = ({ catalogue, id, name, formerly }: NamedPanel): NameChoice => {
    const { codes } = panelName(newestOf(pages, catalogue, id)?.data.panel ?? null);
    const note = [
      codesByPanel.get(`${catalogue} ${id}`) ?? codes.trim().slice(1, -1),
      formerly.length > 0 && `formerly ${formerly.slice(-2).join(', ')}`,
    ];
    return { value: String(id), label: cleanLine(name), note: cleanLine(note.filter(Boolean).join('; ')) };
  };
  const geneChoice = (key: string): NameChoice => {
    const [found] = pages.page({ filter: { genes: [key] } }, { size: 1, examined: 1 }).events;
    const entity = found?.event.data.entity ?? null;
    const label = cleanLine(entity?.name ?? key);
    const note = entity === null || entity.type === 'gene' ? '' : entity.type;
    return {
      value: label,
      label,
      note: nameKey(label) === key ? note : `formerly ${cleanLine(key.toUpperCase())}`,
    };
  };
  const plain = (value: string): NameChoice => ({ value, label: value, note: '' });
  const codes = (): readonly string[] => [
    ...new Set([...listedCodes, ...counted('rCodes').map(({ value }) => value)]),
  ];
  const idOf = (value: string): number | null => (/^\d{1,9}$/.test(value) ? Number(value) : null);
  const namesOf = ({ name, formerly }: NamedPanel): readonly string[] => [name, ...formerly];

  /** The names of one filter that a text finds, by a test of each name. */
  const some = (filter: NamedFilter, part: string): readonly (() => NameChoice)[] => {
    const key = nameKey(part);
    const fits = (name: string): boolean => nameKey(name).includes(key);
    const rank = (name: string): number => (nameKey(name).startsWith(key) ? 0 : 1);
    const lists = (values: readonly string[]) =>
      values
        .filter(fits)
        .sort((one, other) => rank(one) - rank(other))
        .map((value) => () => plain(value));
    switch (filter) {
      case 'panel': {
        const found = names.panels().filter((panel) => namesOf(panel).some(fits) || String(panel.id) === key);
        const best = (panel: NamedPanel): number => Math.min(...namesOf(panel).map(rank));
        return found
          .sort((one, other) => best(one) - best(other) || (one.name < other.name ? -1 : 1))
          .map((panel) => () => panelChoice(panel));
      }
      case 'gene':
        return pages.entityNames(part, 50).map((name) => () => geneChoice(name));
      case 'r-code':
        return lists(codes());
      case 'tag':
        return lists(counted('tags').map(({ label }) => label));
      case 'actor':
        return lists(counted('actors').map(({ label }) => label));
      default:
        return filter satisfies never;
    }
  };

  const containing: PageNames['containing'] = (filter, part, limit) =>
    some(filter, part)
      .slice(0, limit)
      .map((make) => make());

  return {
    containing,
    near(filter, text, limit) {
      const found = containing(filter, text, limit);
      if (found.length > 0) return found;
      const candidates =
        filter === 'panel'
          ? names.panels().flatMap(namesOf)
          : filter === 'gene'
            ? pages.entityNames(text.slice(0, 1), MOST_COMPARED)
            : some(filter, '').map((make) => make().label);
      const near = nearest(nameKey(text), candidates.map(nameKey));
      if (near !== undefined) return containing(filter, near, limit);
      // A word of the name may be right where the whole is not.
      const words = text.split(/\s+/).filter((word) => word.length > 3);
      return words.flatMap((word) => containing(filter, word, limit)).slice(0, limit);
    },
    labelOf(filter, value) {
      if (filter === 'gene') return names.presentEntityName(value);
      if (filter !== 'panel') return value;
      const id = idOf(value);
      const called =
        id === null ? names.panelsCalled(value) : names.panels().filter((panel) => panel.id === id);
      const present = [...new Set(called.map(({ name }) => cleanLine(name)))];
      return present.length === 1 ? (present[0] ?? value) : value;
    },
  };
}
