import { compileFacts, type Filter } from '../../lambdas/filters/filter.ts';
import type { Names } from '../../lambdas/filters/names.ts';
import type { HistoryPages, PageQuery } from '../../lambdas/store/history/sqlite-pages.ts';
import {
  createFactsCache,
  type Facet,
  facets,
  highlights,
  type KnownEvent,
  ratingKeys,
  type Value,
} from './facts-cache.ts';

/** A value of a filter, its label for people, and how many events have it. */
export interface Counted {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** How many events a highlight finds. */
interface HighlightCount {
  /** Those that its name is true of. */
  readonly count: number;
  /** The others. */
  readonly apart: number;
}

/** How many events a view has, and how many each further choice would leave. */
export interface Counts {
  /** Events that match the whole filter. */
  readonly total: number;
  /** By facet: how many events match the rest of the filter and have the value; the most frequent first. */
  readonly of: (facet: Facet) => readonly Counted[];
  /** In the order of `highlights`: how many events match it and the rest of the filter. */
  readonly highlights: readonly HighlightCount[];
  /** The number of events that were looked at, where the period has more than were: then the newest of them. */
  readonly limitedTo: number | null;
  /** The time of the oldest event that was looked at. */
  readonly oldest: string | null;
}

/** More would delay polls. */
const MOST_COUNTED = 20_000;
const KEPT_COUNTS = 20;

/** Counts what filters would find. */
export interface Counter {
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
      const counts = tally(events, {
        base: filter,
        filter: others,
        values: cache.values,
        names: pages.names(),
      });
      const oldest = numbers.length > most ? (events.at(-1)?.time ?? null) : null;
      const result = { ...counts, limitedTo: numbers.length > most ? events.length : null, oldest };
      kept.set(key, { counts: result, upTo });
      for (const old of kept.keys()) if (kept.size > KEPT_COUNTS) kept.delete(old);
      return result;
    },
  };
}

interface TallyOptions {
  /** What an event must match to be counted at all. */
  readonly base: Filter;
  /** The rest of the filter. The counts of a key leave out the condition of that key. */
  readonly filter: Filter;
  readonly values: readonly Value[];
  /** The names by which panels and genes are found. */
  readonly names: Names;
}

function tally(
  events: readonly KnownEvent[],
  { base, filter, values, names }: TallyOptions,
): Pick<Counts, 'total' | 'of' | 'highlights'> {
  const isCounted = Object.keys(base).length > 0 ? compileFacts(base, names) : () => true;
  const keys = Object.keys(filter);
  const tests = Object.entries(filter).map(([key, value]) => compileFacts({ [key]: value } as Filter));
  const ratingBits = keys.reduce((bits, key, index) => (ratingKeys.has(key) ? bits | (1 << index) : bits), 0);
  const counts = new Uint32Array(values.length);
  const found = highlights.map(() => ({ count: 0, apart: 0 }));
  let total = 0;
  for (const { facts, values: places, highlights: matched, apart } of events) {
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
    for (const [index, highlight] of found.entries()) {
      if (matched & (1 << index)) highlight[apart & (1 << index) ? 'apart' : 'count']++;
    }
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
