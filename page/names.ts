import { rCodesIn } from '../lambdas/events/r-codes.ts';
import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { type NamedPanel, nameKey } from '../lambdas/filters/names.ts';
import { nearest } from '../lambdas/filters/nearest.ts';
import { optionOf } from '../lambdas/questions/answer-limits.ts';
import { filterOf } from '../lambdas/questions/filter-options.ts';
import type { Texts } from '../lambdas/questions/question.ts';
import type { HistoryPages } from '../lambdas/store/history/sqlite-pages.ts';
import {
  type NamedPlace,
  namesIn,
  unknownNames as unknownInHistory,
} from '../lambdas/store/history/unknown-names.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import { panelName } from '../lambdas/words/panel-words.ts';
import { type Html, html } from './html.ts';
import { orAddressError } from './read-address.ts';

/** The newest event of a panel. */
export function newestOf(pages: HistoryPages, catalogue: string, panel: number): PanelEvent | undefined {
  return pages.page({ catalogue, filter: { panels: [panel] } }, { size: 1, examined: 1 }).events[0]?.event;
}

/** The filters whose values are names that people type. */
export const namedFilters = ['panel', 'gene', 'r-code', 'tag', 'actor'] as const;
type NamedFilter = (typeof namedFilters)[number];

/** Whether a part of an address holds names. */
export const isNamedFilter = (name: string): name is NamedFilter =>
  namedFilters.some((each) => each === name);

interface NameChoice {
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

type CountedFacet = 'rCodes' | 'tags' | 'actors';

/** The names that events have, the most frequent first. */
interface CountedNames {
  of(facet: CountedFacet): readonly { readonly value: string; readonly label: string }[];
}

const MOST_COMPARED = 5_000;

/**
 * Reads the names that the history and the listings of panels have.
 * @param allTime counts over the newest events of the whole history
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function readPageNames(
  { pages, place }: { readonly pages: HistoryPages; readonly place: Omit<NamedPlace, 'isLocal'> },
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
  const codes = (): readonly string[] => [
    ...new Set([...listedCodes, ...counted('rCodes').map(({ value }) => value)]),
  ];

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
          .map((panel) => () => panelChoice(panel, pages, codesByPanel));
      }
      case 'gene':
        return pages.entityNames(part, 50).map((name) => () => geneChoice(name, pages));
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

function panelChoice(
  { catalogue, id, name, formerly }: NamedPanel,
  pages: HistoryPages,
  codesByPanel: ReadonlyMap<string, string>,
): NameChoice {
  const { codes } = panelName(newestOf(pages, catalogue, id)?.data.panel ?? null);
  const note = [
    codesByPanel.get(`${catalogue} ${id}`) ?? codes.trim().slice(1, -1),
    formerly.length > 0 && `formerly ${formerly.slice(-2).join(', ')}`,
  ];
  return { value: String(id), label: cleanLine(name), note: cleanLine(note.filter(Boolean).join('; ')) };
}

function geneChoice(key: string, pages: HistoryPages): NameChoice {
  const [found] = pages.page({ filter: { genes: [key] } }, { size: 1, examined: 1 }).events;
  const entity = found?.event.data.entity ?? null;
  const label = cleanLine(entity?.name ?? key);
  const note = entity === null || entity.type === 'gene' ? '' : entity.type;
  return {
    value: label,
    label,
    note: nameKey(label) === key ? note : `formerly ${cleanLine(key.toUpperCase())}`,
  };
}

const plain = (value: string): NameChoice => ({ value, label: value, note: '' });
const idOf = (value: string): number | null => (/^\d{1,9}$/.test(value) ? Number(value) : null);
const namesOf = ({ name, formerly }: NamedPanel): readonly string[] => [name, ...formerly];

interface NameField {
  readonly name: string;
  readonly label: string;
  /** The values that are set: another one is added to them. Chips name them and remove them. */
  readonly given: readonly string[];
  /** Without a script, a browser offers these. */
  readonly suggestions?: readonly { readonly label: string; readonly count: number }[];
  /** In front of the name, where another form of the same view has such a field. */
  readonly prefix?: string;
}

const MOST_SUGGESTIONS = 300;
/** No name in a catalogue is longer. */
const LONGEST_SUGGESTION = 200;

/** A field for one more name; a part of it is enough. The suggestions are names, never ids. */
export function nameField({ name, label, given, suggestions = [], prefix = 'f' }: NameField): Html {
  const id = `${prefix}-${name}`;
  const shown = suggestions
    .filter((each) => each.label.length <= LONGEST_SUGGESTION)
    .slice(0, MOST_SUGGESTIONS);
  const list =
    shown.length === 0
      ? ''
      : html`<datalist id="${id}-list">${shown.map(
          (each) => html`<option value="${each.label}">${each.count.toLocaleString('en-GB')}</option>`,
        )}</datalist>`;
  return html`<div class="field names"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" data-names data-label="${label}" autocomplete="off" spellcheck="false" placeholder="${placeholderOf(name, given.length > 0)}"${list === '' ? '' : html` list="${id}-list"`}>
${given.map((value) => html`<input type="hidden" name="${name}" value="${value}">`)}${list}</div>`;
}

const placeholderOf = (name: string, isSet: boolean): string =>
  `${isSet ? 'one more: ' : ''}${name === 'r-code' ? 'R208, R67' : 'part of a name'}`;

/** A name in an address that matches nothing in the history, with names that it may misspell. */
export interface UnknownName {
  /** The part of the address that holds it. */
  readonly filter: string;
  readonly value: string;
  /** `No panel is called “hearing”.` */
  readonly sentence: string;
  readonly offers: readonly NameChoice[];
}

const MOST_OFFERS = 8;

/**
 * The names of an address that nothing has, so that nothing can be concluded from what they do not find. None of an
 * empty history: that it is empty is said instead.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function unknownNames(
  { place, pages }: { readonly place: NamedPlace; readonly pages: Pick<HistoryPages, 'lastAppended'> },
  texts: Texts,
  names: PageNames,
): Promise<readonly UnknownName[]> {
  if (pages.lastAppended() === 0) return [];
  const asked = orAddressError(() => filterOf(texts));
  const [catalogue] = texts.catalogue ?? [];
  const unknown = await unknownInHistory(place, asked, { found: 0, ...(catalogue && { catalogue }) });
  return unknown.flatMap(({ key, value, statement }) => {
    const filter = optionOf[key as keyof typeof optionOf];
    if (filter === undefined) return [];
    const offers = isNamedFilter(filter) ? names.near(filter, value, MOST_OFFERS) : [];
    return [{ filter, value, sentence: statement, offers }];
  });
}

/** Whether a part of an address has unknown names alone, so that what the view finds says nothing of what was asked. */
export const isAllUnknown = (texts: Texts, unknown: readonly UnknownName[]): boolean =>
  unknown.some(({ filter }) =>
    (texts[filter] ?? []).every((value) =>
      unknown.some((name) => name.filter === filter && name.value === value),
    ),
  );

/**
 * A notice about names that nothing has, with those that they may misspell.
 * @param texts what the address states
 * @param addressWith the address of the same view with other values of an option
 */
export function unknownNamesView(
  unknown: readonly UnknownName[],
  texts: Texts,
  addressWith: (change: Texts) => string,
): Html {
  const instead = ({ filter, value }: UnknownName, chosen: string): string =>
    addressWith({ [filter]: [...(texts[filter] ?? []).filter((each) => each !== value), chosen] });
  return html`${unknown.map(
    (name) => html`<div class="notice unknown" role="alert"><h2>${name.sentence}</h2>
${
  name.offers.length === 0
    ? html`<p>So this view says nothing about it. Check the spelling, or type a part of the name.</p>`
    : html`<p>Did you mean:</p><ul>${name.offers.map(
        ({ value, label, note }) =>
          html`<li><a href="${instead(name, value)}">${label}</a>${note === '' ? '' : html` <span class="fine">${note}</span>`}</li>`,
      )}</ul>`
}</div>`,
  )}`;
}
