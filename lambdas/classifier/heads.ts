/** Things in the order of the grammar, found by the first characters of a text that they may fit. */
export interface Heads<T> {
  /** Those that can start with words that start so. */
  startingWith(text: string, at: number): readonly T[];
  /** Those that start with free text: they yield to all that start with words. */
  readonly startingFreely: readonly T[];
}

/** `wordsOf` gives the words with which a thing can start; empty where with free text. */
export function headsOf<T>(things: readonly T[], wordsOf: (thing: T) => readonly string[]): Heads<T> {
  const starts = new Map(
    things.map((thing) => [thing, new Set(wordsOf(thing).map((words) => words && startOf(words, 0)))]),
  );
  const startingAs = (start: number | ''): T[] => things.filter((thing) => starts.get(thing)?.has(start));
  const all = new Set([...starts.values()].flatMap((some) => [...some]));
  const byStart = new Map([...all].map((start) => [start, startingAs(start)]));
  const none: readonly T[] = [];
  return {
    startingWith: (text, at) => byStart.get(startOf(text, at)) ?? none,
    startingFreely: startingAs(''),
  };
}

/** The first two characters in one number. */
function startOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
}
