import type { Form } from './form.ts';
import { labelsOf } from './mention.ts';
import type { Wording, Words } from './wording.ts';

/** Things in the order of the grammar, found by the first characters of a text that they may fit. */
export interface Heads<T> {
  /** Those that can start with words that start so. */
  startingWith(text: string, at: number): readonly T[];
  /** Those that start with free text: they yield to all that start with words. */
  readonly startingFreely: readonly T[];
}

export function headsOf<T>(things: readonly T[], wordsOf: (thing: T) => readonly Words[]): Heads<T> {
  const starts = new Map(things.map((thing) => [thing, new Set(wordsOf(thing).flatMap(startsOf))]));
  const startingAs = (start: number): T[] => things.filter((thing) => starts.get(thing)?.has(start));
  const all = new Set([...starts.values()].flatMap((some) => [...some]));
  const byStart = new Map([...all].map((start) => [start, startingAs(start)]));
  const none: readonly T[] = [];
  return {
    startingWith: (text, at) => byStart.get(startOf(text, at)) ?? none,
    startingFreely: startingAs(FREE),
  };
}

const FREE = -1;

/** The first two characters in one number. */
function startOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
}

function startsOf({ before, mention }: Words): readonly number[] {
  const texts = before === '' && mention ? labelsOf(mention) : [before];
  return texts.map((text) => (text === '' ? FREE : startOf(text, 0)));
}

/** The wordings with which a text of the form can start. */
export function openingsOf({ within, slots }: Form): readonly Wording[] {
  if (within) return within.wordings;
  const end = slots.findIndex(({ required }) => required);
  const first = end === -1 ? slots : slots.slice(0, end + 1);
  return first.flatMap(({ parts }) => parts.flatMap(({ wordings }) => wordings));
}
