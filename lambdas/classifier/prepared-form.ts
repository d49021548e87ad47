import type { Form, Part } from './form.ts';
import {
  type ByFirstLetters,
  byFirstLetters,
  type Captured,
  match,
  matchFrom,
  matchStart,
  type Names,
  type Template,
} from './template.ts';

/** What separates the two sides of free text, such as `one to other`. */
export const SIDES = ' to ';

/** A template at its place in a form. */
interface Place {
  readonly part: Part;
  readonly template: Template;
  readonly slot: number;
}

/** A form with its templates found by their first letters. */
export interface PreparedForm {
  readonly form: Form;
  readonly places: ByFirstLetters<Place>;
  /** Places whose free text ends in words. */
  readonly endings: readonly Place[];
  /** Whether it is one part that goes on to the end of the text. */
  readonly isRest: boolean;
  /** Whether any part has free text of two sides. */
  readonly hasSides: boolean;
  /** By slot, and for the end of the text: the last required slot before it; -1 where there is none. */
  readonly requiredBefore: readonly number[];
}

/** Returns the form as `compose` takes it. */
export function prepare(form: Form): PreparedForm {
  const { slots } = form;
  const places = slots.flatMap(({ parts }, slot) =>
    parts.flatMap((part) => part.templates.map((template): Place => ({ part, template, slot }))),
  );
  return {
    form,
    places: byFirstLetters(places, ({ template }) => [template]),
    endings: places.filter(({ part, template }) => part.extent === 'open' && template.ending.length > 0),
    isRest: slots.length === 1 && places.every(({ part }) => part.extent === 'rest' && part.closing === null),
    hasSides: places.some(({ part }) => part.sides),
    requiredBefore: [...slots, null].map((_slot, slot) =>
      slots.findLastIndex(({ required }, before) => required && before < slot),
    ),
  };
}

/** A place that matches a line. */
export interface Start extends Place {
  /** From this line alone; null where the part needs the lines after it. */
  readonly captured: Captured | null;
  /** Where the free text starts. */
  readonly from: number;
}

/** Whether free text of two sides lacks the second one on its first line. */
export function isOneSided({ part, from }: Start, words: string): boolean {
  return part.sides && part.extent === 'open' && !words.includes(SIDES, from);
}

/** The places whose template matches at a line. */
export function startsAt({ places }: PreparedForm, names: Names, words: string): readonly Start[] {
  const starts = matching(places.starting(words), names, words);
  return starts.length > 0 ? starts : matching(places.freely, names, words);
}

const noStarts: readonly Start[] = [];

function matching(places: readonly Place[], names: Names, words: string): readonly Start[] {
  if (places.length === 0) return noStarts;
  const starts: Start[] = [];
  for (const { part, template, slot } of places) {
    if (part.extent === 'line') {
      // Of the templates of a part, the first that matches is taken.
      if (starts.at(-1)?.part === part) continue;
      const captured = match(template, names, words);
      if (captured && isTwoSided(part, captured))
        starts.push({ part, template, slot, captured, from: words.length });
    } else {
      const from = matchStart(template, names, words);
      if (from !== -1) starts.push({ part, template, slot, captured: null, from });
    }
  }
  return starts;
}

/** What a part captures of all the words that it goes over. */
export function capturedBy(
  { part, template, from, captured }: Start,
  names: Names,
  words: string,
): Captured | null {
  if (captured) return captured;
  const found = template.start ? match(template, names, words) : matchFrom(template, names, words, from);
  return found && isTwoSided(part, found) ? found : null;
}

function isTwoSided({ sides }: Part, { words }: Captured): boolean {
  return !sides || words.includes(SIDES);
}
