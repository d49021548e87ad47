import type { Annotation, Changes, EventKindName } from '../events/changes.ts';
import { type Entity, kindOf, type PanelEvent } from '../events/schemas.ts';

/** How a change without a row was found: by comparing two listings, or two states of one panel. */
export type Via = 'listing' | 'snapshot';

/** One silent difference of a panel, in the shape of the event that publishes it. */
export type Difference = {
  [Kind in EventKindName]: {
    readonly kind: Kind;
    readonly change: Changes[Kind];
    /** The entity that differs; null where the panel itself does. */
    readonly entity: Entity | null;
  };
}[EventKindName];

/** A difference of one kind. */
export function difference<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  entity: Entity | null = null,
): Difference {
  return { kind, change, entity } as Difference;
}

/** Whether a change was found by comparing, without a row of the log. */
export const isSilent = (change: PanelEvent['data']['change']): boolean =>
  isFoundBy('listing', change) || isFoundBy('snapshot', change);

/** Whether a change was found by comparing listings, or states. */
export function isFoundBy(via: Via, change: PanelEvent['data']['change']): boolean {
  return 'via' in change && change.via === via;
}

/** What says whether an entity is there, and how it is rated. */
const heldBy = /entity\.(?:added|classified|removed)\.v1$/;

/**
 * Whether what was found of its version later undid an event, as after a catalogue that lied for some hours.
 * @param published in the order in which they were published
 */
export function isUndone(event: PanelEvent, published: readonly PanelEvent[]): boolean {
  const at = published.findIndex(({ id }) => id === event.id);
  return published.some(
    ({ type, subject, data }, index) =>
      index > at &&
      subject === event.subject &&
      data.panel?.version === event.data.panel?.version &&
      isFoundBy('snapshot', data.change) &&
      (type === event.type || (heldBy.test(type) && heldBy.test(event.type))),
  );
}

/** An event says nothing of a fact. */
export const untouched = Symbol('untouched');

/** What an event makes of a known value: another one, undefined where it is unknown from then on, or nothing. */
export type Led<Known> = Known | undefined | typeof untouched;

/**
 * One kind of silent difference, whole: how a fact is seen to differ, which events lead to it, and what it publishes.
 * `Seen` is the value that a listing or state shows, `Known` what is known of it between two of them.
 */
export interface Fact<Seen, Known = Seen> {
  /** What is known of the fact once it was shown. */
  readonly known: (shown: Seen) => Known;
  /** What the change of an event makes of it, by kind of event. */
  readonly leads: {
    readonly [Kind in EventKindName]?: (
      change: Changes[Kind],
      before: Known | undefined,
      event: PanelEvent,
    ) => Led<Known>;
  };
  /** What any event implies of it, beside its change: a row names the version of its panel. */
  readonly implied?: (event: PanelEvent, before: Known | undefined) => Led<Known>;
  /**
   * What a change should have said of the value before it, by kind of event: the change itself where it agrees with what was known,
   * or states nothing of it.
   */
  readonly corrects?: {
    readonly [Kind in EventKindName]?: (change: Changes[Kind], before: Known) => Changes[Kind];
  };
  /** Whether what is shown is what is known. */
  readonly same: (known: Known, shown: Seen) => boolean;
  /** The events of a difference. */
  readonly publishes: (from: Known, to: Seen, about: Publication) => readonly Difference[];
}

/** What the events of a difference say beside it. */
export interface Publication {
  readonly via: Via;
  /** Null for a fact of the panel itself. */
  readonly entity: Entity | null;
}

/** A fact whose types are forgotten, so that facts of all kinds are followed and compared by the same code. */
export interface AnyFact<Name extends string = string> {
  readonly name: Name;
  known(shown: unknown): unknown;
  /** What the change of an event makes of a known value. */
  led(event: PanelEvent, before: unknown): Led<unknown>;
  implied(event: PanelEvent, before: unknown): Led<unknown>;
  /** The change of an event, with what was so before it where it states something else. */
  corrected(event: PanelEvent, before: unknown): PanelEvent['data']['change'];
  same(known: unknown, shown: unknown): boolean;
  publishes(from: unknown, to: unknown, about: Publication): readonly Difference[];
}

/** The facts of a table by their names, in its order. */
export function factsIn<Name extends string>(
  table: Readonly<Record<Name, object>>,
): readonly AnyFact<Name>[] {
  return (Object.keys(table) as Name[]).map((name) => {
    const fact = table[name] as Fact<unknown>;
    return {
      name,
      known: fact.known,
      led: (event, before) => {
        const kind = kindOf(event.type);
        const leads = kind && (fact.leads[kind] as Leads | undefined);
        return leads ? leads(event.data.change, before, event) : untouched;
      },
      implied: (event, before) => (fact.implied ? fact.implied(event, before) : untouched),
      corrected: (event, before) => {
        const kind = kindOf(event.type);
        const corrects = kind && (fact.corrects?.[kind] as Corrects | undefined);
        return corrects ? corrects(event.data.change, before) : event.data.change;
      },
      same: fact.same,
      publishes: fact.publishes,
    };
  });
}

type Leads = (change: unknown, before: unknown, event: PanelEvent) => Led<unknown>;
type Corrects = (change: unknown, before: unknown) => PanelEvent['data']['change'];

/** A value of a field, as an event states it. */
export type Stated = Annotation['to'];

/** A text that an event states; undefined for what is no single text. */
export const textOf = (stated: Stated): string | null | undefined =>
  Array.isArray(stated) ? undefined : stated;

/** A list that an event states; undefined for what is no list. */
export const listOf = (stated: Stated): readonly string[] | undefined => {
  if (stated === null || stated === '') return [];
  return Array.isArray(stated) ? stated : undefined;
};

/** Whether two texts are equal; the catalogue serves null and the empty text for what is not set. */
export const sameText = (one: string | null, other: string | null): boolean =>
  (one ?? '').trim() === (other ?? '').trim();

/** Whether two lists have the same items: neither order nor repeats mean anything. */
export function sameList(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [itemsOf(one), itemsOf(other)];
  return first.size === second.size && [...first].every((item) => second.has(item));
}

/** The items of a list, each once. */
export const itemsOf = (list: readonly string[]): ReadonlySet<string> =>
  new Set(list.map((item) => item.trim()).filter(Boolean));

/** Whether two values of listings are equal. The catalogue keeps no order in its lists. */
export function sameValue(one: unknown, other: unknown): boolean {
  // Most are equal in the same order, and to order them takes seven times as long.
  return (
    JSON.stringify(one) === JSON.stringify(other) ||
    JSON.stringify(one, withoutOrder) === JSON.stringify(other, withoutOrder)
  );
}

/** The order of numbers means something: they are start and end of coordinates. */
function withoutOrder(_key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    return typeof value[0] === 'number'
      ? value
      : value.map((item) => JSON.stringify(item, withoutOrder)).toSorted();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
