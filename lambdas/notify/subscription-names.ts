import { goneNames } from '../store/history/gone-names.ts';
import { type NamedPlace, type UnknownName, unknownNames } from '../store/history/unknown-names.ts';
import type { Subscription } from './subscription.ts';

/** The names of a subscription's filter that nothing has, or has any more. */
export interface SubscriptionNames {
  readonly subscription: string;
  readonly names: readonly UnknownName[];
}

/**
 * The subscriptions whose filters have names that nothing has. Where nothing was read yet, no name is said to be unknown.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function subscriptionNames(
  place: NamedPlace,
  subscriptions: readonly Pick<Subscription, 'name' | 'filter'>[],
): Promise<readonly SubscriptionNames[]> {
  const [covered, listings] = [await place.history.coverage(), await place.listings()];
  if (covered.length + listings.length === 0) return [];
  const all: SubscriptionNames[] = [];
  for (const { name, filter } of subscriptions) {
    // A catalogue that is followed elsewhere is read by another run.
    const { catalogues: _elsewhere, ...asked } = filter;
    const unknown = await unknownNames(place, asked, { found: 0 });
    const isSaid = ({ key, value }: UnknownName): boolean =>
      unknown.some((one) => one.key === key && one.value === value);
    const gone = (await goneNames(place, filter)).filter((one) => !isSaid(one));
    const names = [...unknown, ...gone];
    if (names.length > 0) all.push({ subscription: name, names });
  }
  return all;
}
