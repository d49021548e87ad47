import type { Changes, EventKindName } from '../events/changes.ts';
import { type Entity, kindOf, type PanelEvent } from '../events/schemas.ts';
import type { Difference, Via } from './difference.ts';

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
