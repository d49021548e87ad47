import { type EventKindName, eventKinds } from '../events/changes.ts';
import { firstStated } from '../events/corrections.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import { type NameBook, type Names, noNames } from '../filters/names.ts';
import { filtersOfSubscription, type Subscription } from './subscription.ts';

/** The kinds of events after which what was published of an entity, or a panel's name, may no longer hold, or holds again. */
export const stateKinds = [
  'entity.classified',
  'entity.removed',
  'entity.added',
  'entity.renamed',
  'entity.annotated',
  'panel.changed',
] as const;

/** Whether an event changes the rating of an entity; one that confirms it does not. */
export const isRated = (event: PanelEvent): event is PanelEvent<'entity.classified'> =>
  event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction !== 'unchanged';

/** Whether an event takes an entity off its panel. */
export const isRemoval = (event: PanelEvent): boolean => event.type === 'gene-panel.entity.removed.v1';

/** Whether an event says that an entity is on its panel, or no longer. */
export const isPresence = (event: PanelEvent): boolean =>
  isRemoval(event) || event.type === 'gene-panel.entity.added.v1';

/** Whether an event renames an entity, or removes sources of which one may have given the rating. */
const renamesOrClears = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.renamed.v1' ||
  (event.type === 'gene-panel.entity.annotated.v1' &&
    event.data.change.changes.some(({ field }) => field === 'sources'));

/** Whether an event gives a panel another name. */
export const renamesPanel = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.panel.changed.v1' &&
  event.data.change.changes.some(({ field }) => field === 'name');

/** Whether what was published of an entity, or its panel's name, may no longer hold after an event, or holds again. */
export const changesState = (event: PanelEvent): boolean =>
  isRated(event) || isPresence(event) || renamesOrClears(event) || renamesPanel(event);

/** Why a subscription does not send an event; null where it does. */
export type ReasonNotToSend = 'filter' | 'unchanged' | 'review' | 'disagreement' | null;

/**
 * Decides which events a subscription sends. Ratings that were only confirmed, reviews, and disagreements of catalogues are left out
 * unless the filter asks for them by name: most people want to know what changed. A correction is sent too where the event that it corrects was:
 * its reader has something false.
 */
export function reasonNotToSend(
  filter: Filter,
  names: Names = noNames,
): (event: PanelEvent) => ReasonNotToSend {
  const matches = compileFilter(filter, names);
  const unchanged = filter.direction?.includes('unchanged') ?? false;
  const asked = topicsAsked(filter);
  const reasonOf = (event: PanelEvent): ReasonNotToSend => {
    const kind = kindOf(event.type);
    if (kind === undefined || !matches(event)) return 'filter';
    if (event.type === 'gene-panel.entity.classified.v1') {
      return !unchanged && event.data.change.direction === 'unchanged' ? 'unchanged' : null;
    }
    const { topic } = eventKinds[kind];
    if (topic === 'reviews' && !asked.has(topic)) return 'review';
    return topic === 'disagreements' && !asked.has(topic) ? 'disagreement' : null;
  };
  return (event) => {
    const reason = reasonOf(event);
    const first = reason === null ? null : firstStated(event);
    return first !== null && reasonOf(first) === null ? null : reason;
  };
}

/** Decides which events a subscription takes, as `reasonNotToSend` does for each of its filters. */
export function reasonNotToTake(
  subscription: Pick<Subscription, 'filter' | 'whenSignedOff'>,
  names: Names = noNames,
): (event: PanelEvent) => ReasonNotToSend {
  const [own, ...others] = filtersOfSubscription(subscription).map((each) => reasonNotToSend(each, names));
  return (event) => (others.some((unwanted) => unwanted(event) === null) ? null : (own?.(event) ?? null));
}

/** The families of events that a filter names. */
function topicsAsked({ topics = [], types = [] }: Filter): ReadonlySet<string> {
  const named = types.map((type) => kindOf(type) ?? (type as EventKindName));
  return new Set([...topics, ...named.map((kind) => eventKinds[kind].topic)]);
}

/** Whether a filter asks for what catalogues disagree about. */
export const asksForDisagreements = (filter: Filter): boolean => topicsAsked(filter).has('disagreements');

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
