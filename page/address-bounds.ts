import { AddressError } from './address-error.ts';

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
