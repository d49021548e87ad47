import type { Form, Part } from './form.ts';
import { type Heads, headsOf } from './heads.ts';
import type { Wording, Words } from './wording.ts';

/** A part in its place. */
export interface Place {
  readonly part: Part;
  readonly wording: Wording;
  readonly rank: number;
}

/** Places whose wordings start alike, up to and with the mention of the entity. */
export interface Opening {
  readonly words: Words;
  readonly places: readonly Place[];
}

/** A form, prepared for reading. */
export interface Plan {
  readonly form: Form;
  /** Whether it consists of one part. */
  readonly single: boolean;
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

export function planOf(form: Form): Plan {
  const places = form.slots.flatMap(({ parts }, rank) =>
    parts.flatMap((part) => part.wordings.map((wording) => ({ part, wording, rank }))),
  );
  const lowest = [...form.slots, null].map((_slot, rank) =>
    form.slots.findLastIndex(({ required }, before) => required && before < rank),
  );
  return {
    form,
    single: !form.within && form.slots.length === 1 && !form.slots[0]?.many,
    lowest,
    openings: headsOf(openingsOf(places), ({ words }) => [words]),
    tailed: places.filter(({ part, wording: { tail } }) => part.open && hasWords(tail)),
    sides: places.some(({ part }) => part.must.sides === true),
  };
}

function openingsOf(places: readonly Place[]): readonly Opening[] {
  const alike = Map.groupBy(places, ({ wording: { head } }) => `${head.before}⟨${head.mention}⟩`);
  return [...alike.values()].flatMap((some) => {
    const [place] = some;
    return place ? [{ words: { ...place.wording.head, after: '' }, places: some }] : [];
  });
}

export function hasWords({ before, mention }: Words): boolean {
  return before !== '' || mention !== null;
}

/** Whether a part of one rank may come right before a part of another, or before the end; -1 is the start. */
export function mayFollow({ form, lowest }: Plan, rank: number, next: number): boolean {
  return (lowest[next] ?? -1) <= rank && (rank < next || (rank === next && form.slots[rank]?.many === true));
}
