import { nearest } from '../lambdas/filters/nearest.ts';
import { OptionError, readAsked, valuesOf } from '../lambdas/questions/options.ts';
import type { Asked, Options, Texts, Times } from '../lambdas/questions/question.ts';
import type { Instant } from '../lambdas/run/instant.ts';

/** An address cannot be shown; the message says what was seen and what was expected. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** Does what reads options; what one does not take is what the address states. @throws {AddressError} when one does not */
export function orAddressError<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof OptionError ? addressErrorOf(error) : error;
  }
}

/**
 * The parameters of an address by their names, cut where an option has several values; empty ones count as absent.
 * @throws {AddressError} when there are too many, or one is too long
 */
export function textsIn(parameters: URLSearchParams, options: Options = {}): Texts {
  const names = [...new Set(parameters.keys())];
  const texts = names.map((name) => [name, valuesOf(options[name] ?? {}, parameters.getAll(name))] as const);
  checkAddressBounds(
    new URLSearchParams(
      texts.flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
    ),
  );
  return Object.fromEntries(texts.filter(([, values]) => values.length > 0));
}

/**
 * Reads what an address states for options, as texts and as what these mean.
 * @throws {AddressError} when a part of it is unknown, or has a value that it does not take
 */
export function readAddressOptions<Declared extends Options>(
  options: Declared,
  parameters: URLSearchParams,
  moment: { readonly now: Instant; readonly times: Times },
): { readonly texts: Texts; readonly asked: Asked<Declared> } {
  const texts = textsIn(parameters, options);
  const names = Object.keys(options);
  return orAddressError(() => {
    const other = Object.keys(texts).find((name) => !names.includes(name));
    if (other !== undefined) {
      const near = nearest(other, names);
      throw new OptionError(
        other.slice(0, 80),
        `${names.join(', ')}${near ? `. Did you mean “${near}”?` : ''}`,
      );
    }
    return { texts, asked: readAsked(options, texts, moment) };
  });
}

/** What an address states for an option that does not take it. */
export function addressErrorOf(error: OptionError): AddressError {
  const { option, seen, expected } = error;
  const what =
    option === ''
      ? `The address has an unknown part ${JSON.stringify(seen)}`
      : `“${option}” is ${JSON.stringify(seen.slice(0, 80))}`;
  return new AddressError(`${what}; expected ${expected}${expected.endsWith('?') ? '' : '.'}`, {
    cause: error,
  });
}

/** Each link of a view repeats the values of its address, so their number and length bound the size of the view. */
const MOST_VALUES = 200;
const LONGEST_VALUE = 200;
const LONGEST_ADDRESS = 4_000;

const whole = (count: number): string => count.toLocaleString('en-GB');

function checkAddressBounds(parameters: URLSearchParams): void {
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

/** CSV as a file to save. */
export const csvResponse = (lines: AsyncIterable<string> | Iterable<string>, name: string): Response =>
  fileResponse(lines, { name: `${name}.csv`, type: 'text/csv' });

/** Text as a file to save. */
export function fileResponse(
  parts: AsyncIterable<string> | Iterable<string>,
  { name, type }: { readonly name: string; readonly type: 'text/csv' | 'text/plain' | 'text/html' },
): Response {
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}

/** A text as a part of a file's name. */
export const fileWord = (text: string): string => text.replaceAll(/[^\w.-]/g, '-').slice(0, 60);
