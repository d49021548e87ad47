import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFacts, type EventFacts, type Filter, factsOf } from '../../lambdas/filters/filter.ts';
import { greenTurnOfEvent, greenTurns, turnsWhere } from '../../lambdas/filters/green-turn.ts';
import type { Names } from '../../lambdas/filters/names.ts';
import { naturalOrder } from '../../lambdas/run/text.ts';
import type { HistoryPages, PageQuery, PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';

interface KnownEvent {
  readonly time: string | null;
  readonly facts: EventFacts;
  /** The indexes of its values in the list of all values. */
  readonly values: readonly number[];
  /** A bit for each highlight that it matches. */
  readonly highlights: number;
  /** A bit for each of those that counts it apart. */
  readonly apart: number;
}

interface Value {
  readonly facet: Facet;
  readonly value: string;
  readonly label: string;
}

function createFactsCache(pages: HistoryPages) {
  const events = new Map<number, KnownEvent>();
  const values: Value[] = [];
  /** What each facet reads of an event; and by value: its place, and its label as an event has it. */
  const readers = facets.map((facet) => ({
    ...{ facet, valuesIn: valuesOf[facet], labelIn: labelOf[facet] },
    places: new Map<string, { readonly place: number; label: string }>(),
  }));
  type Reader = (typeof readers)[number];
  const wanted = highlights.map(({ filter }) => compileFacts(filter));

  /** A value has the label of the event that was appended last. */
  function placeOf({ facet, places }: Reader, value: string, label: string): number {
    const known = places.get(value);
    if (known?.label === label) return known.place;
    const place = known?.place ?? values.length;
    places.set(value, { place, label });
    values[place] = { facet, value, label: cleanLine(label) };
    return place;
  }

  function placesOf(event: PanelEvent, facts: EventFacts): readonly number[] {
    const found: number[] = [];
    for (const reader of readers) {
      const stated = reader.valuesIn(facts);
      if (stated === null) continue;
      const label = reader.labelIn?.(event);
      if (typeof stated === 'string') found.push(placeOf(reader, stated, label ?? stated));
      else for (const value of stated) found.push(placeOf(reader, value, label ?? value));
    }
    return found;
  }

  function knownEvent({ event }: PlacedEvent): KnownEvent {
    const facts = factsOf(event);
    let [matched, apart] = [0, 0];
    for (const [index, matches] of wanted.entries()) {
      if (!matches(facts)) continue;
      matched |= 1 << index;
      if (highlights[index]?.apart?.is(event)) apart |= 1 << index;
    }
    return { time: event.time ?? null, facts, values: placesOf(event, facts), highlights: matched, apart };
  }

  return {
    /** How many events it holds. */
    get size() {
      return events.size;
    },
    /** The values of all its events. */
    values,
    /** The events with these numbers, in their order. */
    take(numbers: readonly number[]) {
      const missing = numbers.filter((number) => !events.has(number)).sort((one, other) => one - other);
      for (let at = 0; at < missing.length; at += AT_ONCE) {
        for (const placed of pages.numbered(missing.slice(at, at + AT_ONCE)))
          events.set(placed.number, knownEvent(placed));
      }
      return numbers.flatMap((number) => events.get(number) ?? []);
    },
  };
}

/** How many whole events are in memory at a time: of more, some outlive a collection of young objects. */
const AT_ONCE = 100;

/** What an event has of each key of the filter language whose values are counted. */
const valuesOf = {
  panels: ({ panelId }) => (panelId === null ? null : String(panelId)),
  panelTypes: ({ panelTypes }) => panelTypes,
  rCodes: ({ rCodes }) => rCodes,
  from: ({ from }) => from,
  to: ({ to }) => to,
  direction: ({ direction }) => direction,
  green: ({ green }) => green,
  inheritanceFrom: ({ inheritanceFrom }) => inheritanceFrom[0] ?? null,
  inheritanceTo: ({ inheritanceTo }) => inheritanceTo[0] ?? null,
  topics: ({ topic }) => topic,
  types: ({ kind }) => kind,
  entityTypes: ({ entityType }) => entityType,
  tags: ({ tags }) => tags,
  actors: ({ actor }) => actor,
  late: ({ late }) => String(late),
  catalogues: ({ catalogue }) => catalogue,
} as const satisfies Readonly<Record<string, (facts: EventFacts) => string | null | readonly string[]>>;

type Facet = keyof typeof valuesOf;
const facets = Object.keys(valuesOf) as Facet[];

/** The labels for people of those values that are no words of the filter language. */
const labelOf: { readonly [Key in Facet]?: (event: PanelEvent) => string } = {
  panels: ({ data }) => data.panel?.name ?? '',
  actors: ({ data }) => data.actor ?? '',
  late: ({ data }) => (data.late ? 'late' : 'not late'),
};

/** A filter that many readers want, with a name. */
export interface Highlight {
  readonly name: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly filter: Filter;
  /** The matching events that the name is not true of, or not for certain: they are counted apart. */
  readonly apart?: { readonly name: string; readonly is: (event: PanelEvent) => boolean };
}

/** What turned green, or is no longer, with what is not certain counted apart. */
function greenHighlight(name: string, isGreen: boolean, apart: string): Highlight {
  const green = turnsWhere(isGreen);
  const isUncertain = (event: PanelEvent): boolean => {
    const turn = greenTurnOfEvent(event);
    return turn !== null && green.includes(turn) && !greenTurns[turn].isCertain;
  };
  return { name, filter: { green }, values: { green }, apart: { name: apart, is: isUncertain } };
}

export const highlights: readonly Highlight[] = [
  greenHighlight('Turned green', true, 'perhaps green before'),
  greenHighlight('No longer green', false, greenTurns['maybe-no-longer'].words),
  { name: 'Promoted', filter: { types: ['panel.promoted'] }, values: { type: ['panel.promoted'] } },
  {
    name: 'Signed off',
    filter: { types: ['panel.signed-off'] },
    values: { type: ['panel.signed-off'] },
    apart: {
      name: 'sign-off withdrawn',
      is: ({ type, data }) => type === 'gene-panel.panel.signed-off.v1' && !data.change.signedOff,
    },
  },
  { name: 'Added', filter: { types: ['entity.added'] }, values: { type: ['entity.added'] } },
  { name: 'Removed', filter: { types: ['entity.removed'] }, values: { type: ['entity.removed'] } },
  { name: 'Tags', filter: { topics: ['tags'] }, values: { topic: ['tags'] } },
  { name: 'Reviews', filter: { topics: ['reviews'] }, values: { topic: ['reviews'] } },
  { name: 'Not recognised', filter: { topics: ['unclassified'] }, values: { topic: ['unclassified'] } },
];

const ratingKeys: ReadonlySet<string> = new Set(['from', 'to', 'direction', 'green', 'topics', 'types']);
/** Their options in an address. */
export const highlightNames = ['from-rating', 'to', 'direction', 'green', 'topic', 'type'] as const;

/** A value of a filter, its label for people, and how many events have it. */
export interface Counted {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

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
export type Counter = ReturnType<typeof createCounter>;

/**
 * Counts over the newest events of a period. The facts of an event are read once and cached, so that another filter over
 * the same events reads nothing.
 * @param most the greatest number of events that counts look at
 */
export function createCounter(pages: HistoryPages, most = MOST_COUNTED) {
  const kept = new Map<string, { readonly counts: Counts; readonly upTo: number }>();
  let cache = createFactsCache(pages);
  return {
    counts(query: PageQuery) {
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
    list.sort((one, other) => other.count - one.count || naturalOrder(one.label, other.label));
  }
  return { total, of: (facet) => byFacet.get(facet) ?? [], highlights: found };
}
