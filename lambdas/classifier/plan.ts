import type { Entity } from '../events/schemas.ts';
import { type Addressed, addressed } from './addressed.ts';
import type { Form, Part } from './form.ts';
import { type Heads, headsOf } from './heads.ts';
import { hasWords, type Middle, type Wording } from './wording.ts';

/** A wording of a part in its place, for one type of entity. */
export interface Place {
  readonly part: Part;
  readonly head: Addressed;
  readonly middle: Middle | null;
  readonly tail: Addressed;
  readonly rank: number;
}

/** Places whose wordings start alike, up to and with the mention of the entity. */
export interface Opening {
  readonly words: Addressed;
  readonly places: readonly Place[];
}

/** A form, prepared for reading texts about entities of one type. */
export interface Plan {
  readonly form: Form;
  /** Whether it consists of one part. */
  readonly single: boolean;
  /** What comes before the parts, in the same line. */
  readonly intro: Addressed | null;
  readonly openings: Heads<Opening>;
  /**
   * For every rank, and for the end of the text: below which rank nothing may come right before it, as a
   * required slot would be left out. -1 where the text may start with it.
   */
  readonly lowest: readonly number[];
  /** Places whose free text ends in words. */
  readonly tailed: readonly Place[];
  /** Whether any part has free text of two sides. */
  readonly sides: boolean;
}

/** The plan for entities of a type, or for texts that mention no entity. */
export function planOf(form: Form, type: Entity['type'] | null): Plan {
  const { slots, within } = form;
  const places = slots.flatMap(({ parts }, rank) =>
    parts.flatMap((part) => part.wordings.flatMap((wording) => placeOf(part, wording, rank, type))),
  );
  const [intro] = within?.wordings ?? [];
  return {
    form,
    single: !within && slots.length === 1 && !slots[0]?.many,
    intro: intro ? addressed(intro.head, type) : null,
    openings: headsOf(openingsOf(places), ({ words }) => [words.before]),
    lowest: [...slots, null].map((_slot, rank) =>
      slots.findLastIndex(({ required }, before) => required && before < rank),
    ),
    tailed: places.filter(({ part, tail }) => part.open && hasWords(tail)),
    sides: places.some(({ part }) => part.must.sides),
  };
}

function placeOf(
  part: Part,
  { head, middle, tail }: Wording,
  rank: number,
  type: Entity['type'] | null,
): Place[] {
  const [start, end] = [addressed(head, type), addressed(tail, type)];
  return start && end ? [{ part, head: start, middle, tail: end, rank }] : [];
}

function openingsOf(places: readonly Place[]): readonly Opening[] {
  const alike = Map.groupBy(places, ({ head }) => `${head.before}⟨${head.mention}⟩`);
  return [...alike.values()].flatMap((some) => {
    const [first] = some;
    return first ? [{ words: first.head, places: some }] : [];
  });
}

/** The wordings with which a text of the form can start. */
export function startsOf({ within, slots }: Form): readonly Wording[] {
  if (within) return within.wordings;
  const end = slots.findIndex(({ required }) => required);
  const first = end === -1 ? slots : slots.slice(0, end + 1);
  return first.flatMap(({ parts }) => parts.flatMap(({ wordings }) => wordings));
}

/** Whether a part of one rank may come right before a part of another, or before the end; -1 is the start. */
export function mayFollow({ form, lowest }: Plan, rank: number, next: number): boolean {
  return (lowest[next] ?? -1) <= rank && (rank < next || (rank === next && form.slots[rank]?.many === true));
}
