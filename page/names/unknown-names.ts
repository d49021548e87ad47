import { optionOf } from '../../lambdas/questions/answer-limits.ts';
import { filterOf } from '../../lambdas/questions/filter-options.ts';
import type { HistoryPages } from '../../lambdas/store/history/sqlite-pages.ts';
import {
  type NamedPlace,
  unknownNames as unknownInHistory,
} from '../../lambdas/store/history/unknown-names.ts';
import { type Html, html } from '../frame/html.ts';
import { orAddressError } from '../read-address.ts';
import { isNamedFilter, type NameChoice, type PageNames } from './page-names.ts';

/** A name in an address that matches nothing in the history, with names that it may misspell. */
export interface UnknownName {
  /** The part of the address that holds it. */
  readonly filter: (typeof optionOf)[keyof typeof optionOf];
  readonly value: string;
  /** `No panel is called “hearing”.` */
  readonly sentence: string;
  readonly offers: readonly NameChoice[];
}

/** The values of an address by the names of its parts. */
type Values = Readonly<Partial<Record<string, readonly string[]>>>;

/** What the address of a view asks for. */
interface Asked {
  readonly values: Values;
  /** Empty for every catalogue. */
  readonly catalogue?: string;
}

const MOST_OFFERS = 8;

/**
 * The names of an address that nothing has, so that nothing can be concluded from what they do not find. None of an
 * empty history: that it is empty is said instead.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function unknownNames(
  { place, pages }: { readonly place: NamedPlace; readonly pages: Pick<HistoryPages, 'lastAppended'> },
  { values, catalogue = '' }: Asked,
  names: PageNames,
): Promise<readonly UnknownName[]> {
  if (pages.lastAppended() === 0) return [];
  const asked = orAddressError(() => filterOf(values));
  const unknown = await unknownInHistory(place, asked, { found: 0, ...(catalogue !== '' && { catalogue }) });
  return unknown.flatMap(({ key, value, statement }) => {
    const filter = optionOf[key as keyof typeof optionOf];
    if (filter === undefined) return [];
    const offers = isNamedFilter(filter) ? names.near(filter, value, MOST_OFFERS) : [];
    return [{ filter, value, sentence: statement, offers }];
  });
}

/** Whether a part of an address has unknown names alone, so that what the view finds says nothing of what was asked. */
export function isAllUnknown({ values }: Pick<Asked, 'values'>, unknown: readonly UnknownName[]): boolean {
  return unknown.some(({ filter }) =>
    // An address has one catalogue at most.
    (values[filter] ?? []).every((value) =>
      unknown.some((name) => name.filter === filter && name.value === value),
    ),
  );
}

/**
 * A notice about names that nothing has, with those that they may misspell.
 * @param addressWith the address of the same view with one value in place of the unknown one
 */
export function unknownNamesView<Part extends string>(
  unknown: readonly (Omit<UnknownName, 'filter'> & { readonly filter: Part })[],
  addressWith: (of: { readonly filter: Part; readonly value: string }, value: string) => string,
): Html {
  return html`${unknown.map(
    (name) => html`<div class="notice unknown" role="alert"><h2>${name.sentence}</h2>
${
  name.offers.length === 0
    ? html`<p>So this view says nothing about it. Check the spelling, or type a part of the name.</p>`
    : html`<p>Did you mean:</p><ul>${name.offers.map(
        ({ value, label, note }) =>
          html`<li><a href="${addressWith(name, value)}">${label}</a>${note === '' ? '' : html` <span class="fine">${note}</span>`}</li>`,
      )}</ul>`
}</div>`,
  )}`;
}
