import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type EventFacts, factsOf } from '../../lambdas/filters/event-facts.ts';
import { compileFacts, type Filter } from '../../lambdas/filters/filter.ts';
import { greenTurnOfEvent, greenTurns, turnsWhere } from '../../lambdas/filters/green-turn.ts';
import type { HistoryPages, PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';

/** The keys of the filter language whose values are counted. */
export const facets = [
  'panels',
  'panelTypes',
  'rCodes',
  'from',
  'to',
  'direction',
  'green',
  'inheritanceFrom',
  'inheritanceTo',
  'topics',
  'types',
  'entityTypes',
  'tags',
  'actors',
  'late',
  'catalogues',
] as const;
/** One of these keys. */
export type Facet = (typeof facets)[number];

/** The facts of an event that counts need. */
export interface KnownEvent {
  readonly time: string | null;
  readonly facts: EventFacts;
  /** The indexes of its values in the list of all values. */
  readonly values: readonly number[];
  /** A bit for each highlight that it matches. */
  readonly highlights: number;
  /** A bit for each of those that counts it apart. */
  readonly apart: number;
}

/** A value of a facet, with its label for people. */
export interface Value {
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

/** Creates an empty cache of the facts of events. */
export function createFactsCache(pages: HistoryPages): FactsCache {
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
    const bits = (test: (index: number) => boolean): number =>
      wanted.reduce((sum, _matches, index) => (test(index) ? sum | (1 << index) : sum), 0);
    return {
      time: placed.event.time ?? null,
      facts,
      values: facets.flatMap((facet) =>
        valuesOf(facet, placed, facts).map(([value, label]) => placeOf(facet, value, label)),
      ),
      highlights: bits((index) => wanted[index]?.(facts) ?? false),
      apart: bits((index) => highlights[index]?.apart?.is(placed.event) ?? false),
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
    case 'green':
      return same([facts.green]);
    case 'inheritanceFrom':
      return same(facts.inheritanceFrom.slice(0, 1));
    case 'inheritanceTo':
      return same(facts.inheritanceTo.slice(0, 1));
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

/** The keys that a highlight replaces. */
export const ratingKeys: ReadonlySet<string> = new Set([
  'from',
  'to',
  'direction',
  'green',
  'topics',
  'types',
]);
/** Their options in an address. */
export const highlightNames = ['from-rating', 'to', 'direction', 'green', 'topic', 'type'] as const;
