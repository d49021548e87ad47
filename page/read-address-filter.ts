import type { Filter } from '../lambdas/filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../lambdas/filters/filter-values.ts';
import { AddressError } from './address-error.ts';

/**
 * Returns the filter that the parts of an address state.
 * @throws {AddressError} when a part has a value that it does not take
 */
export function readAddressFilter(texts: FilterTexts): Filter {
  try {
    return readFilterTexts(texts);
  } catch (error) {
    if (!(error instanceof FilterTextError)) throw error;
    const message = `“${error.option}” is ${error.seen}; expected ${error.expected}.`;
    throw new AddressError(message, { cause: error });
  }
}
