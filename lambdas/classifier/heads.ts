import type { Form } from './form.ts';
import { labelsOf } from './mention.ts';
import type { Wording } from './wording.ts';

/** Things in the order of the grammar, found by the first character of a text that they may fit. */
export interface Heads<T> {
  /** Those that can start with words that start so. */
  startingWith(text: string, at: number): readonly T[];
  /** Those that start with free text: they yield to all that start with words. */
  readonly startingFreely: readonly T[];
}

export function headsOf<T>(things: readonly T[], wordings: (thing: T) => readonly Wording[]): Heads<T> {
  const starts = new Map(things.map((thing) => [thing, new Set(wordings(thing).flatMap(firstCharacters))]));
  const withFirst = (first: string): T[] => things.filter((thing) => starts.get(thing)?.has(first));
  const firsts = new Set([...starts.values()].flatMap((characters) => [...characters]));
  const byFirst = new Map([...firsts].map((first) => [first.charCodeAt(0), withFirst(first)]));
  return {
    startingWith: (text, at) => byFirst.get(text.charCodeAt(at)) ?? [],
    startingFreely: withFirst(''),
  };
}

/** Empty where the wording starts with free text. */
function firstCharacters({ head }: Wording): readonly string[] {
  if (head.before !== '' || head.mention === null) return [head.before.charAt(0)];
  return labelsOf(head.mention).map((label) => label.charAt(0));
}

/** The wordings with which a text of the form can start. */
export function openingsOf({ within, slots }: Form): readonly Wording[] {
  if (within) return within.wordings;
  const end = slots.findIndex(({ required }) => required);
  const first = end === -1 ? slots : slots.slice(0, end + 1);
  return first.flatMap(({ parts }) => parts.flatMap(({ wordings }) => wordings));
}
