import type { Changes, EventKindName } from '../events/changes.ts';
import type { Entity, EventPanel } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';
import type { Fact, Row, Tone } from './notice.ts';
import { type Phrase, phrase } from './phrase.ts';

/** The words for one event, the same in every channel. */
export interface EventWords {
  readonly headline: Phrase;
  readonly row: Row;
  /** The words of the row after "added", where one action added the entity: `as amber`; null where they are the row's. */
  readonly onceAdded: Phrase | null;
  readonly tone: Tone;
  /** What the actor did, before "by": `Rated`, `Added`. */
  readonly verb: string;
  readonly facts: readonly Fact[];
  /** Free text that belongs to the change. */
  readonly quote: string | null;
}

/** What the words of a kind of event have; the rest is as for most kinds. */
export type DescribedEvent = Pick<EventWords, 'headline' | 'row' | 'verb'> & Partial<EventWords>;

/** What an event is about. */
export interface Subject {
  readonly panel: EventPanel | null;
  readonly entity: Entity | null;
  /** `BRCA1`, `STR ATXN1_CAG`. */
  readonly name: string;
  /** A headline about an entity: ` on `, the panel's name and codes after its start. */
  readonly on: (start: Phrase, preposition?: string, end?: Phrase) => Phrase;
}

/** The words of some kinds of events, each from its change and what it is about. */
export type WordsOf<Kinds extends EventKindName> = {
  readonly [Kind in Kinds]: (change: Changes[Kind], subject: Subject) => DescribedEvent;
};

/** Facts with a label, without those that have no value. */
export function factsOf(
  entries: readonly (readonly [label: string, value: string | null | undefined])[],
): readonly Fact[] {
  return entries.flatMap(([label, value]) => {
    const text = cleanLine(value ?? '');
    return text === '' ? [] : [{ label, value: phrase`${text}` }];
  });
}
