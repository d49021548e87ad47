import { rCodesIn } from '../events/r-codes.ts';
import type { Filter } from '../subscriptions/filter.ts';
import { type NamedPlace, namesIn, type UnknownName } from './unknown-names.ts';

/**
 * The panels and codes of a filter that existed and are in no listing of panels now. Where no listing was read, none is gone.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function goneNames(
  place: NamedPlace,
  { panels = [], rCodes = [] }: Filter,
): Promise<readonly UnknownName[]> {
  const listings = await place.listings();
  if (listings.length === 0) return [];
  const names = await namesIn(place);
  const byCatalogue = new Map(listings.map(({ catalogue, listing }) => [catalogue, listing.panels]));
  const gone = (key: 'panels' | 'rCodes', value: string, statement: string): UnknownName => ({
    key,
    value,
    statement,
    sentence: statement,
  });
  const found: UnknownName[] = [];
  for (const panel of panels) {
    const value = String(panel);
    const called = /^\d+$/.test(value)
      ? names.panels().filter(({ id }) => id === Number(value))
      : names.panelsCalled(value);
    const listed = called.some(({ catalogue, id }) => byCatalogue.get(catalogue)?.has(id) ?? true);
    if (called.length > 0 && !listed) {
      found.push(gone('panels', value, `The panel “${value}” is no longer in the list of panels.`));
    }
  }
  const codes = new Set(
    listings.flatMap(({ listing }) =>
      [...listing.panels.values()].flatMap(({ facts }) => rCodesIn(facts.relevantDisorders)),
    ),
  );
  for (const value of rCodes) {
    if (!codes.has(value.toUpperCase()))
      found.push(gone('rCodes', value, `No panel in the list of panels has the code ${value} now.`));
  }
  return found;
}
