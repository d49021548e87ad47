import type { HistoryPages, PageQuery, PlacedEvent } from '../../../lambdas/history/sqlite-pages.ts';
import { cleanLine } from '../../../lambdas/messages/clean-text.ts';
import { type EventFacts, factsOf } from '../../../lambdas/subscriptions/event-facts.ts';
import { compileFacts, compileFilter, type Filter } from '../../../lambdas/subscriptions/filter.ts';

/** What is counted: the values of one key of the filter language. */
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

/** A value, how a person reads it, and how many events have it. */
export interface Counted {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** A question that many readers have, as a filter of ratings and types. */
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

/** Looking at more would keep polls waiting. */
const MOST_COUNTED = 20_000;
const KEPT_COUNTS = 20;

/** Counts what filters would find. Counts of a view that was seen before take only the events that are new since. */
interface Counter {
  counts(query: PageQuery): Counts;
}

/** Counts events of the history; a question that is asked again reads only the events since. */
export function createCounter(pages: HistoryPages): Counter {
  const kept = new Map<string, { readonly tally: Tally; upTo: number }>();
  return {
    counts(query) {
      const key = JSON.stringify(query, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
      const upTo = pages.lastAppended();
      const known = kept.get(key);
      kept.delete(key);
      // A search must be asked again of the index.
      if (known && known.upTo >= upTo) {
        kept.set(key, known);
        return known.tally.result();
      }
      if (known && query.text === undefined && upTo - known.upTo < MOST_COUNTED) {
        const { genes, panels } = query.filter ?? {};
        const matches = compileFilter({ ...(genes && { genes }), ...(panels && { panels }) });
        for (const placed of pages.appended(known.upTo, upTo, MOST_COUNTED)) {
          if (isWithin(placed, query) && matches(placed.event)) known.tally.add(placed);
        }
        known.upTo = upTo;
        kept.set(key, known);
        return known.tally.result();
      }
      // Genes and panels lead to their events by an index, so that these are counted however old they are.
      const { genes, panels, ...others } = query.filter ?? {};
      const tally = createTally(others);
      const filter = { ...(genes && { genes }), ...(panels && { panels }) };
      const { events, next } = pages.page(
        { ...query, filter },
        { size: MOST_COUNTED, examined: MOST_COUNTED },
      );
      for (const placed of events) tally.add(placed);
      if (next !== null) tally.limit(events.length, events.at(-1)?.event.time ?? null);
      kept.set(key, { tally, upTo });
      for (const oldest of kept.keys()) if (kept.size > KEPT_COUNTS) kept.delete(oldest);
      return tally.result();
    },
  };
}

function isWithin({ at, event }: PlacedEvent, { since, until, catalogue }: PageQuery): boolean {
  return (
    (since === undefined || at >= since) &&
    (until === undefined || at < until) &&
    (catalogue === undefined || event.data.catalogue === catalogue)
  );
}

interface Tally {
  add(placed: PlacedEvent): void;
  limit(looked: number, oldest: string | null): void;
  result(): Counts;
}

interface Value {
  readonly label: string;
  count: number;
}

function createTally(filter: Filter): Tally {
  const tests = Object.entries(filter).map(
    ([key, value]) => [key, compileFacts({ [key]: value } as Filter)] as const,
  );
  const wanted = highlights.map((highlight) => compileFacts(highlight.filter));
  const found = highlights.map(() => 0);
  const values = new Map<Facet, Map<string, Value>>(facets.map((facet) => [facet, new Map()]));
  let total = 0;
  let limitedTo: number | null = null;
  let oldest: string | null = null;

  const note = (facet: Facet, placed: PlacedEvent, facts: EventFacts): void => {
    const known = values.get(facet);
    for (const [value, label] of valuesOf(facet, placed, facts)) {
      const entry = known?.get(value);
      if (entry) entry.count++;
      else known?.set(value, { label, count: 1 });
    }
  };

  return {
    add(placed) {
      const facts = factsOf(placed.event);
      const failed = tests.filter(([, test]) => !test(facts)).map(([key]) => key);
      const [only] = failed;
      if (failed.length === 0) total++;
      if (failed.length === 0) for (const facet of facets) note(facet, placed, facts);
      else if (failed.length === 1)
        for (const facet of facets) if (facet === only) note(facet, placed, facts);
      if (!failed.every((key) => ratingKeys.has(key))) return;
      for (const [index, test] of wanted.entries()) if (test(facts)) found[index] = (found[index] ?? 0) + 1;
    },
    limit(looked, time) {
      limitedTo = looked;
      oldest = time;
    },
    result: () => ({
      total,
      of: (facet) =>
        [...(values.get(facet) ?? [])]
          .map(([value, { label, count }]) => ({ value, label, count }))
          .sort((one, other) => other.count - one.count || collator.compare(one.label, other.label)),
      highlights: [...found],
      limitedTo,
      oldest,
    }),
  };
}

const collator = new Intl.Collator('en', { numeric: true });

/** The values that an event has of a facet, as an address states them, and how a person reads them. */
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
