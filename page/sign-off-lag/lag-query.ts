import { lagOrders } from '../../lambdas/questions/lag-rows.ts';
import { checkAddressBounds } from '../address-bounds.ts';
import { AddressError } from '../address-error.ts';

/** What the list of changes that wait for a sign-off is asked for. */
export interface LagQuery {
  readonly values: {
    readonly panel: readonly string[];
    readonly 'r-code': readonly string[];
  };
  readonly order: (typeof lagOrders)[number];
}

const names = ['panel', 'r-code', 'order'] as const;

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readLagQuery(parameters: URLSearchParams): LagQuery {
  checkAddressBounds(parameters);
  for (const name of parameters.keys()) {
    if (!names.some((each) => each === name)) {
      throw new AddressError(
        `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}; expected ${names.join(', ')}.`,
      );
    }
  }
  const some = (name: 'panel' | 'r-code'): readonly string[] => {
    const given = parameters.getAll(name).flatMap((text) => (name === 'panel' ? [text] : text.split(',')));
    return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))];
  };
  const given = (parameters.get('order') ?? '').trim() || 'age';
  const order = lagOrders.find((each) => each === given);
  if (order === undefined) {
    throw new AddressError(`“order” is ${JSON.stringify(given.slice(0, 80))}; expected age or panel.`);
  }
  return { values: { panel: some('panel'), 'r-code': some('r-code') }, order };
}

/** The parameters of an address that asks this. */
export function lagParameters({ values, order }: LagQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, texts] of Object.entries(values)) for (const text of texts) parameters.append(name, text);
  if (order !== 'age') parameters.set('order', order);
  return parameters.toString();
}
