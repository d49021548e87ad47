import type { Entity } from '../events/schemas.ts';
import { labelOf, type Mention, type Names, spellingOf } from './mention.ts';
import type { Words } from './wording.ts';

/** Words as they are for entities of one type: the label of the mention is known, only the name is not. */
export interface Addressed {
  readonly before: string;
  readonly mention: Mention | null;
  readonly after: string;
}

/** Null where words mention an entity and there is none. */
export function addressed(words: Words, type: Entity['type'] | null): Addressed | null {
  const { before, mention, after } = words;
  if (!mention || mention === 'panel') return words;
  return type && { before: before + labelOf(mention, type), mention, after };
}

/** Where words that start at `at` end; -1 where they do not stand there. */
export function skipWords(text: string, at: number, words: Addressed, names: Names): number {
  const end = skipToMentioned(text, at, words, names);
  return end !== -1 && text.startsWith(words.after, end) ? end + words.after.length : -1;
}

/** Where the mention ends in words that start at `at`; -1 where it does not stand there. */
export function skipToMentioned(text: string, at: number, words: Addressed, names: Names): number {
  const { before, mention } = words;
  if (!text.startsWith(before, at)) return -1;
  const start = at + before.length;
  if (!mention) return start;
  const spelling = spellingOf(mention, names);
  return spelling !== null && text.startsWith(spelling, start) ? start + spelling.length : -1;
}

/** Where words that end at `end` start; -1 where they do not stand there. */
export function skipWordsBack(text: string, end: number, words: Addressed, names: Names): number {
  const { before, mention, after } = words;
  if (!mention) return before === '' || text.endsWith(before, end) ? end - before.length : -1;
  const spelling = spellingOf(mention, names);
  if (spelling === null || !text.endsWith(after, end)) return -1;
  const mentioned = end - after.length;
  const start = mentioned - spelling.length;
  return text.endsWith(spelling, mentioned) && text.endsWith(before, start) ? start - before.length : -1;
}
