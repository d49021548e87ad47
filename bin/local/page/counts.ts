import type { HistoryPages, PageQuery, PlacedEvent } from '../../../lambdas/history/sqlite-pages.ts';
import { cleanLine } from '../../../lambdas/messages/clean-text.ts';
import { type EventFacts, factsOf } from '../../../lambdas/subscriptions/event-facts.ts';
import { compileFacts, type Filter } from '../../../lambdas/subscriptions/filter.ts';

/** The keys of the filter language whose values are counted. */
const facets = [
  'panels',
  'panelTypes',
  'rCodes',
  'from',
  'to',
  'direction',
  'topics',
  'types',
  'entityTypes',
  'tags',
  'actors',
  'late',
  'catalogues',
] as const;
type Facet = (typeof facets)[number];

/** A value of a filter, its label for people, and how many events have it. */
export interface Counted {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** A filter that many readers want, with a name. */
export interface Highlight {
  readonly name: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly filter: Filter;
}

const of = (name: string, filter: Filter, values: Highlight['values']): Highlight => ({
  name,
  filter,
  values,
});

export const highlights: readonly Highlight[] = [
  of(
    'Turned green',
    { to: ['green'], direction: ['upgraded', 'new', 'unknown'] },
    { to: ['green'], direction: ['upgraded', 'new', 'unknown'] },
  ),
  of(
    'No longer green',
    { from: ['green'], direction: ['downgraded'] },
    { 'from-rating': ['green'], direction: ['downgraded'] },
  ),
  of('Promoted', { types: ['panel.promoted'] }, { type: ['panel.promoted'] }),
  of('Signed off', { types: ['panel.signed-off'] }, { type: ['panel.signed-off'] }),
  of('Added', { types: ['entity.added'] }, { type: ['entity.added'] }),
  of('Removed', { types: ['entity.removed'] }, { type: ['entity.removed'] }),
  of('Tags', { topics: ['tags'] }, { topic: ['tags'] }),
  of('Reviews', { topics: ['reviews'] }, { topic: ['reviews'] }),
  of('Not recognised', { topics: ['unclassified'] }, { topic: ['unclassified'] }),
];

/** The keys that a highlight replaces. */
const ratingKeys: ReadonlySet<string> = new Set(['from', 'to', 'direction', 'topics', 'types']);
/** Their options in an address. */
export const highlightNames = ['from-rating', 'to', 'direction', 'topic', 'type'] as const;

/** How many events a view has, and how many each further choice would leave. */
export interface Counts {
  /** Events that match the whole filter. */
  readonly total: number;
  /** By facet: how many events match the rest of the filter and have the value; the most frequent first. */
  readonly of: (facet: Facet) => readonly Counted[];
  /** In the order of `highlights`: how many events match it and the rest of the filter. */
  readonly highlights: readonly number[];
  /** The number of events that were looked at, where the period has more than were: then the newest of them. */
  readonly limitedTo: number | null;
  /** The time of the oldest event that was looked at. */
  readonly oldest: string | null;
}

/** More would delay polls. */
const MOST_COUNTED = 20_000;
const KEPT_COUNTS = 20;

/** Counts what filters would find. */
interface Counter {
  counts(query: PageQuery): Counts;
}

/**
 * Counts over the newest events of a period. The facts of an event are read once and cached, so that another filter over
 * the same events reads nothing.
 * @param most the greatest number of events that counts look at
 */
export function createCounter(pages: HistoryPages, most = MOST_COUNTED): Counter {
  const kept = new Map<string, { readonly counts: Counts; readonly upTo: number }>();
  let cache = createFactsCache(pages);
  return {
    counts(query) {
      const key = JSON.stringify(query, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
      const upTo = pages.lastAppended();
      const before = kept.get(key);
      kept.delete(key);
      if (before?.upTo === upTo) {
        kept.set(key, before);
        return before.counts;
      }
      // Genes and panels have an index, so all their events are counted, however old.
      const { genes, panels, ...others } = query.filter ?? {};
      const filter = { ...(genes && { genes }), ...(panels && { panels }) };
      const numbers = pages.numbers({ ...query, filter }, most + 1);
      if (cache.size > 3 * most) cache = createFactsCache(pages);
      const events = cache.take(numbers.slice(0, most));
      const counts = tally(events, { base: filter, filter: others, values: cache.values });
      const oldest = numbers.length > most ? (events.at(-1)?.time ?? null) : null;
      const result = { ...counts, limitedTo: numbers.length > most ? events.length : null, oldest };
      kept.set(key, { counts: result, upTo });
      for (const old of kept.keys()) if (kept.size > KEPT_COUNTS) kept.delete(old);
      return result;
    },
  };
}

/** The facts of an event that counts need. */
interface KnownEvent {
  readonly time: string | null;
  readonly facts: EventFacts;
  /** The indexes of its values in the list of all values. */
  readonly values: readonly number[];
  /** A bit for each highlight that it matches. */
  readonly highlights: number;
}

interface Value {
  readonly facet: Facet;
  readonly value: string;
  readonly label: string;
}

interface FactsCache {
  /** How many events it holds. */
  readonly size: number;
  /** The values of all its events. */
  readonly values: readonly Value[];
  /** The events with these numbers, in their order. */
  take(numbers: readonly number[]): readonly KnownEvent[];
}

function createFactsCache(pages: HistoryPages): FactsCache {
  const events = new Map<number, KnownEvent>();
  const values: Value[] = [];
  const places = new Map<string, number>();
  const wanted = highlights.map(({ filter }) => compileFacts(filter));

  /** A value has the label of the event that was appended last. */
  function placeOf(facet: Facet, value: string, label: string): number {
    const key = `${facet} ${value}`;
    const known = places.get(key);
    if (known !== undefined) {
      if (values[known]?.label !== label) values[known] = { facet, value, label };
      return known;
    }
    places.set(key, values.length);
    values.push({ facet, value, label });
    return values.length - 1;
  }

  function knownEvent(placed: PlacedEvent): KnownEvent {
    const facts = factsOf(placed.event);
    return {
      time: placed.event.time ?? null,
      facts,
      values: facets.flatMap((facet) =>
        valuesOf(facet, placed, facts).map(([value, label]) => placeOf(facet, value, label)),
      ),
      highlights: wanted.reduce((bits, matches, index) => (matches(facts) ? bits | (1 << index) : bits), 0),
    };
  }

  return {
    get size() {
      return events.size;
    },
    values,
    take(numbers) {
      const missing = numbers.filter((number) => !events.has(number)).sort((one, other) => one - other);
      for (let at = 0; at < missing.length; at += AT_ONCE) {
        for (const placed of pages.numbered(missing.slice(at, at + AT_ONCE)))
          events.set(placed.number, knownEvent(placed));
      }
      return numbers.flatMap((number) => events.get(number) ?? []);
    },
  };
}

/** How many whole events are in memory at a time. */
const AT_ONCE = 1_000;

interface TallyOptions {
  /** What an event must match to be counted at all. */
  readonly base: Filter;
  /** The rest of the filter. The counts of a key leave out the condition of that key. */
  readonly filter: Filter;
  readonly values: readonly Value[];
}

function tally(
  events: readonly KnownEvent[],
  { base, filter, values }: TallyOptions,
): Pick<Counts, 'total' | 'of' | 'highlights'> {
  const isCounted = Object.keys(base).length > 0 ? compileFacts(base) : () => true;
  const keys = Object.keys(filter);
  const tests = Object.entries(filter).map(([key, value]) => compileFacts({ [key]: value } as Filter));
  const ratingBits = keys.reduce((bits, key, index) => (ratingKeys.has(key) ? bits | (1 << index) : bits), 0);
  const counts = new Uint32Array(values.length);
  const found = highlights.map(() => 0);
  let total = 0;
  for (const { facts, values: places, highlights: matched } of events) {
    if (!isCounted(facts)) continue;
    let failed = 0;
    for (const [index, test] of tests.entries()) if (!test(facts)) failed |= 1 << index;
    if (failed === 0) {
      total++;
      for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
    } else if ((failed & (failed - 1)) === 0) {
      const only = keys[Math.log2(failed)];
      for (const place of places) if (values[place]?.facet === only) counts[place] = (counts[place] ?? 0) + 1;
    }
    if ((failed & ~ratingBits) !== 0 || matched === 0) continue;
    for (const index of found.keys()) if (matched & (1 << index)) found[index] = (found[index] ?? 0) + 1;
  }
  const byFacet = new Map<Facet, Counted[]>(facets.map((facet) => [facet, []]));
  for (const [place, { facet, value, label }] of values.entries()) {
    const count = counts[place] ?? 0;
    if (count > 0) byFacet.get(facet)?.push({ value, label, count });
  }
  for (const list of byFacet.values()) {
    list.sort((one, other) => other.count - one.count || collator.compare(one.label, other.label));
  }
  return { total, of: (facet) => byFacet.get(facet) ?? [], highlights: found };
}

const collator = new Intl.Collator('en', { numeric: true });

/** The values of an event for a facet, as an address states them, with their labels for people. */
function valuesOf(
  facet: Facet,
  { event }: PlacedEvent,
  facts: EventFacts,
): readonly (readonly [value: string, label: string])[] {
  const same = (list: readonly (string | null)[]) =>
    list.flatMap((value): [string, string][] => (value === null ? [] : [[value, value]]));
  switch (facet) {
    case 'panels':
      return facts.panelId === null ? [] : [[String(facts.panelId), cleanLine(event.data.panel?.name ?? '')]];
    case 'panelTypes':
      return same(facts.panelTypes);
    case 'rCodes':
      return same(facts.rCodes);
    case 'from':
      return same([facts.from]);
    case 'to':
      return same([facts.to]);
    case 'direction':
      return same([facts.direction]);
    case 'topics':
      return same([facts.topic]);
    case 'types':
      return same([facts.kind]);
    case 'entityTypes':
      return same([facts.entityType]);
    case 'tags':
      return same(facts.tags);
    case 'actors':
      return facts.actor === null ? [] : [[facts.actor, cleanLine(event.data.actor ?? '')]];
    case 'late':
      return [[String(facts.late), facts.late ? 'late' : 'not late']];
    case 'catalogues':
      return same([facts.catalogue]);
  }
}
