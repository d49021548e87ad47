import type { PanelEvent } from '../events/schemas.ts';
import { type Names, noNames, panelKey } from '../names/names.ts';
import { type EventFacts, factsOf } from './event-facts.ts';
import { compileFacts, type Filter, type NormalizedFilter, normalized } from './filter.ts';

/** Gives those of many subscribers whose filter matches an event, in the order in which they were given. */
type Matcher<Subscriber> = (event: PanelEvent) => readonly Subscriber[];

interface Candidate<Subscriber> {
  readonly order: number;
  readonly subscriber: Subscriber;
  readonly matches: (facts: EventFacts) => boolean;
}

/** A key by whose values subscribers are looked up, and the values that an event has of it. */
interface IndexKey {
  readonly wanted: (filter: NormalizedFilter) => readonly unknown[] | undefined;
  readonly found: (facts: EventFacts) => readonly unknown[];
}

const orNothing = (value: unknown): readonly unknown[] => (value === null ? [] : [value]);

/** The keys that leave the fewest candidates come first; a subscriber is kept under the first that its filter has. */
const indexKeys: readonly IndexKey[] = [
  { wanted: ({ possibleGenes }) => possibleGenes, found: ({ entityNames }) => entityNames },
  { wanted: ({ tags }) => tags, found: ({ tags }) => tags },
  { wanted: ({ actors }) => actors, found: ({ actor }) => orNothing(actor) },
  {
    wanted: ({ panelIds, panelNames, namedPanels = [], namesOfPanels = [] }) =>
      panelIds &&
      panelNames && [
        ...panelIds,
        ...panelNames,
        ...namedPanels.map(({ catalogue, id }) => panelKey(catalogue, id)),
        ...namesOfPanels,
      ],
    found: ({ catalogue, panelId, panelNames }) => [
      ...(panelId === null ? [] : [panelId, panelKey(catalogue, panelId)]),
      ...panelNames,
    ],
  },
  { wanted: ({ rCodes }) => rCodes, found: ({ rCodes }) => rCodes },
  { wanted: ({ direction }) => direction, found: ({ direction }) => orNothing(direction) },
  { wanted: ({ to }) => to, found: ({ to }) => orNothing(to) },
  { wanted: ({ from }) => from, found: ({ from }) => orNothing(from) },
  { wanted: ({ kinds }) => kinds, found: ({ kind }) => [kind] },
  { wanted: ({ topics }) => topics, found: ({ topic }) => [topic] },
  { wanted: ({ panelTypes }) => panelTypes, found: ({ panelTypes }) => panelTypes },
  { wanted: ({ catalogues }) => catalogues, found: ({ catalogue }) => [catalogue] },
];

/**
 * Prepares the filters of many subscribers. An event is compared only with the filters that name one of its
 * values, so that a thousand subscriptions cost little more than those that match.
 */
export function createMatcher<Subscriber>(
  subscribers: Iterable<readonly [Subscriber, Filter]>,
  names: Names = noNames,
): Matcher<Subscriber> {
  const always: Candidate<Subscriber>[] = [];
  const indexes = indexKeys.map(() => new Map<unknown, Candidate<Subscriber>[]>());
  for (const [order, [subscriber, filter]] of [...subscribers].entries()) {
    const candidate = { order, subscriber, matches: compileFacts(filter, names) };
    const lists = indexKeys.map(({ wanted }) => wanted(normalized(filter, names)));
    const at = lists.findIndex((values) => values !== undefined);
    if (at < 0) always.push(candidate);
    for (const value of new Set(lists[at])) {
      const known = indexes[at]?.get(value);
      if (known) known.push(candidate);
      else indexes[at]?.set(value, [candidate]);
    }
  }
  const used = indexKeys.flatMap(({ found }, at) => {
    const index = indexes[at];
    return index && index.size > 0 ? [{ found, index }] : [];
  });

  return (event) => {
    const facts = factsOf(event);
    const matching = new Set<Candidate<Subscriber>>();
    const consider = (candidates: readonly Candidate<Subscriber>[] | undefined): void => {
      for (const candidate of candidates ?? []) if (candidate.matches(facts)) matching.add(candidate);
    };
    consider(always);
    for (const { found, index } of used) for (const value of found(facts)) consider(index.get(value));
    return [...matching].sort((one, other) => one.order - other.order).map(({ subscriber }) => subscriber);
  };
}
