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
  /** By facet and value: its place, and its label as an event has it. */
  const places = facets.map(() => new Map<string, { readonly place: number; label: string }>());
  const wanted = highlights.map(({ filter }) => compileFacts(filter));

  /** A value has the label of the event that was appended last. */
  function placeOf(index: number, value: string, label: string): number {
    const known = places[index]?.get(value);
    if (known?.label === label) return known.place;
    const place = known?.place ?? values.length;
    places[index]?.set(value, { place, label });
    values[place] = { facet: facets[index] as Facet, value, label: cleanLine(label) };
    return place;
  }

  function placesOf(event: PanelEvent, facts: EventFacts): readonly number[] {
    const found: number[] = [];
    for (const [index, facet] of facets.entries()) {
      const stated = valuesOf[facet](facts);
      const label = labelOf[facet]?.(event);
      if (typeof stated === 'string') found.push(placeOf(index, stated, label ?? stated));
      else if (stated !== null) for (const value of stated) found.push(placeOf(index, value, label ?? value));
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

/** How many whole events are in memory at a time: of more, some outlive a collection of young objects. */
const AT_ONCE = 100;

/** The values of an event for a facet, as an address states them. */
const valuesOf: Readonly<Record<Facet, (facts: EventFacts) => string | null | readonly string[]>> = {
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
};

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
