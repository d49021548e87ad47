import { checkAddressBounds } from '../address-bounds.ts';
import { AddressError } from '../address-error.ts';
import type { LocalTimes } from '../frame/local-times.ts';

/** What the list of greens is asked for: two days, the second included, and which panels. */
export interface GreenQuery {
  readonly from: string;
  readonly to: string;
  readonly values: {
    readonly panel: readonly string[];
    readonly 'r-code': readonly string[];
  };
  /** Only panels that have a signed-off version. */
  readonly signedOff: boolean;
}

/** The period where none is given, in days. */
const GREEN_DAYS = 30;
const names = ['from', 'to', 'panel', 'r-code', 'panel-type'] as const;

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @param now milliseconds since the epoch
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readGreenQuery(parameters: URLSearchParams, times: LocalTimes, now: number): GreenQuery {
  checkAddressBounds(parameters);
  for (const name of parameters.keys()) {
    if (!names.some((each) => each === name)) {
      throw new AddressError(
        `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}; expected ${names.join(', ')}.`,
      );
    }
  }
  const one = (name: (typeof names)[number]): string => (parameters.get(name) ?? '').trim();
  const some = (name: 'panel' | 'r-code'): readonly string[] => {
    const given = parameters.getAll(name).flatMap((text) => (name === 'panel' ? [text] : text.split(',')));
    return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))];
  };
  const day = (name: 'from' | 'to', usual: string): string => {
    const text = one(name) || usual;
    if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
    throw new AddressError(`“${name}” is ${JSON.stringify(text)}; expected a day such as 2026-01-31.`);
  };
  const to = day('to', times.day(now));
  const from = day('from', times.day(Number(times.startOf(to, -GREEN_DAYS) / 1000n)));
  if (to < from) throw new AddressError(`The period ends on ${to}, which is before its begin on ${from}.`);
  const type = one('panel-type');
  if (type !== '' && type !== 'gms-signed-off') {
    throw new AddressError(`“panel-type” is ${JSON.stringify(type)}; expected gms-signed-off.`);
  }
  return { from, to, values: { panel: some('panel'), 'r-code': some('r-code') }, signedOff: type !== '' };
}

/** The parameters of an address that asks this. */
export function greenParameters({ from, to, values, signedOff }: GreenQuery): string {
  const parameters = new URLSearchParams({ from, to });
  for (const [name, texts] of Object.entries(values)) for (const text of texts) parameters.append(name, text);
  if (signedOff) parameters.set('panel-type', 'gms-signed-off');
  return parameters.toString();
}
