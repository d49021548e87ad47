import type { Form, Part } from './form.ts';
import { type Heads, headsOf } from './heads.ts';
import type { Wording } from './wording.ts';

/** A part in its place. */
export interface Place {
  readonly part: Part;
  readonly wording: Wording;
  readonly rank: number;
}

/** A form, prepared for reading. */
export interface Plan {
  readonly form: Form;
  /** The part of a form that consists of one. */
  readonly alone: Part | null;
  readonly heads: Heads<Place>;
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
  const [slot, ...others] = form.slots;
  const alone = !form.within && !slot?.many && others.length === 0 ? slot?.parts : undefined;
  return {
    form,
    alone: alone?.[0] ?? null,
    lowest,
    heads: headsOf(places, ({ wording }) => [wording]),
    tailed: places.filter(
      ({ part, wording: { tail } }) => part.open && (tail.before !== '' || tail.mention !== null),
    ),
    sides: places.some(({ part }) => part.must.sides === true),
  };
}
