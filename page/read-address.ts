import type { Filter } from '../lambdas/filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../lambdas/filters/filter-values.ts';
import type { OptionError } from '../lambdas/questions/options.ts';

/** An address cannot be shown; the message says what was seen and what was expected. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** What an address states for an option that does not take it. */
export function addressErrorOf(error: OptionError): AddressError {
  const { option, seen, expected } = error;
  const what =
    option === ''
      ? `The address has an unknown part ${JSON.stringify(seen)}`
      : `“${option}” is ${JSON.stringify(seen.slice(0, 80))}`;
  return new AddressError(`${what}; expected ${expected}.`, { cause: error });
}

/** Each link of a view repeats the values of its address, so their number and length bound the size of the view. */
const MOST_VALUES = 200;
const LONGEST_VALUE = 200;
const LONGEST_ADDRESS = 4_000;

const whole = (count: number): string => count.toLocaleString('en-GB');

/**
 * Refuses what would make views of many megabytes.
 * @throws {AddressError} when an address has too many values, or one is too long
 */
export function checkAddressBounds(parameters: URLSearchParams): void {
  const long = [...parameters].find(([, value]) => value.length > LONGEST_VALUE);
  if (long) {
    throw new AddressError(
      `“${long[0]}” has ${whole(long[1].length)} characters; expected at most ${LONGEST_VALUE}.`,
    );
  }
  const { length } = parameters.toString();
  if (parameters.size <= MOST_VALUES && length <= LONGEST_ADDRESS) return;
  throw new AddressError(
    `The address has ${whole(parameters.size)} values in ${whole(length)} characters; expected at most ${MOST_VALUES} values in ${whole(LONGEST_ADDRESS)} characters. For a long list of genes, use history --genes-file FILE.`,
  );
}

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
