import type { PanelEvent } from '../events/schemas.ts';
import { compileFilter } from '../filters/filter.ts';
import { type NameBook, type Names, noNames } from '../filters/names.ts';
import { changesState } from './rating-events.ts';
import { reasonNotToTake } from './reason-not-to-send.ts';
import { filtersOfSubscription, type Subscription } from './subscription.ts';

/** What a subscription does with an event: send it, keep it because it may overtake what waits, or nothing. */
type Interest = 'wanted' | 'kept' | 'none';

/**
 * Decides about events for all subscriptions, by the names that panels and entities have when an event arrives.
 * @param names the names that are known so far; without them a filter compares those that an event has
 */
export function interestsOf(
  subscriptions: readonly Subscription[],
  names?: () => Promise<NameBook>,
): (event: PanelEvent) => Promise<readonly Interest[]> {
  const asksForNames = subscriptions
    .flatMap(filtersOfSubscription)
    .some(({ panels, genes }) => panels ?? genes);
  let compiled = compile(subscriptions, noNames);
  return async (event) => {
    if (names && asksForNames) {
      const known = await names();
      known.learnEvent(event);
      if (known !== compiled.names || known.revision !== compiled.revision)
        compiled = compile(subscriptions, known);
    }
    return compiled.tests.map(({ unwanted, mayRevert }) =>
      unwanted(event) === null ? 'wanted' : mayRevert(event) ? 'kept' : 'none',
    );
  };
}

const compile = (subscriptions: readonly Subscription[], names: Names) => ({
  names,
  revision: names.revision,
  tests: subscriptions.map((subscription) => ({
    unwanted: reasonNotToTake(subscription, names),
    mayRevert: mayRevert(subscription, names),
  })),
});

/**
 * Whether an event outside the filter of a subscription may change what waits for its message: a change to amber, or a
 * removal, where the filter asks for green; an addition after the removal; a new name; the loss of a source.
 */
function mayRevert({ filter }: Subscription, names: Names): (event: PanelEvent) => boolean {
  // Also without a time to settle: of many changes, those beyond a few wait. And a history may lag behind a digest.
  const { to: _to, from: _from, direction: _direction, topics: _topics, types: _types, ...rest } = filter;
  const { green: _green, inheritanceFrom: _before, inheritanceTo: _now, ...others } = rest;
  const matches = compileFilter(others, names);
  return (event) => changesState(event) && matches(event);
}
