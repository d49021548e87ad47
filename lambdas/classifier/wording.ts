import type { Entity } from '../events/schemas.ts';
import { endOfMention, type Mention, startOfMention } from './mention.ts';
import { isWords, mentionOf, textOf, tokensOf } from './tokens.ts';

/**
 * A wording of the grammar: a pattern, anchored at both ends, taken apart once so that a text is compared
 * with its words instead of being searched. What the words enclose is free text, one of a few words, or, where
 * it has structure, what remains of the pattern.
 */
export interface Wording {
  readonly pattern: RegExp;
  readonly head: Words;
  readonly middle: Middle | null;
  readonly tail: Words;
}

/** Words around one mention of the entity at most. */
export interface Words {
  readonly before: string;
  readonly mention: Mention | null;
  readonly after: string;
}

/** What stands between head and tail. */
export type Middle =
  | { readonly kind: 'free'; readonly needsText: boolean }
  | { readonly kind: 'choice'; readonly words: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: RegExp };

/** The named groups of a pattern. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Takes a pattern apart; several where it mentions the entity as `⟨entity⟩`, with and without its label. */
export function wordingsOf(pattern: RegExp): readonly Wording[] {
  if (!pattern.source.includes('⟨entity⟩')) return [wordingOf(pattern)];
  return ['⟨label⟩', '⟨name⟩'].map((mention) =>
    wordingOf(new RegExp(pattern.source.replace('⟨entity⟩', mention), pattern.flags)),
  );
}

function wordingOf(pattern: RegExp): Wording {
  if (!/^\^.*\$$/s.test(pattern.source)) throw new Error(`pattern ${pattern} is not anchored at both ends`);
  const tokens = tokensOf(pattern.source.slice(1, -1));
  const start = tokens.findIndex((token) => !isWords(token));
  const end = tokens.findLastIndex((token) => !isWords(token)) + 1;
  if (start === -1) return { pattern, head: wordsOf(tokens), middle: null, tail: wordsOf([]) };
  const middle = middleOf(tokens.slice(start, end), pattern.flags);
  return { pattern, head: wordsOf(tokens.slice(0, start)), middle, tail: wordsOf(tokens.slice(end)) };
}

function wordsOf(tokens: readonly string[]): Words {
  const at = tokens.findIndex((token) => mentionOf(token) !== null);
  if (at === -1) return { before: textOf(tokens), mention: null, after: '' };
  const mention = mentionOf(tokens[at] ?? '');
  return { before: textOf(tokens.slice(0, at)), mention, after: textOf(tokens.slice(at + 1)) };
}

function middleOf(tokens: readonly string[], flags: string): Middle {
  const source = tokens.join('');
  const { group, content = '' } =
    (tokens.length === 1 && /^\(\?<(?<group>\w+)>(?<content>.*)\)$/.exec(source)?.groups) || {};
  if (group && (content === '.*' || content === '.+')) {
    return { kind: 'free', needsText: content === '.+' };
  }
  const words = content.split('|').map(tokensOf);
  if (group && words.flat().every(isWords)) {
    return { kind: 'choice', words: words.map(textOf) };
  }
  return { kind: 'pattern', pattern: new RegExp(`^${source}$`, flags) };
}

/** Where words that start at `at` end; -1 where they do not stand there. */
export function skipWords(text: string, at: number, words: Words, subject: Entity | null): number {
  const { before, mention, after } = words;
  if (!text.startsWith(before, at)) return -1;
  if (!mention) return at + before.length;
  const end = subject ? endOfMention(text, at + before.length, mention, subject) : -1;
  return end !== -1 && text.startsWith(after, end) ? end + after.length : -1;
}

/** Where words that end at `end` start; -1 where they do not stand there. */
export function skipWordsBack(text: string, end: number, words: Words, subject: Entity | null): number {
  const { before, mention, after } = words;
  if (!mention) return text.endsWith(before, end) ? end - before.length : -1;
  if (!subject || !text.endsWith(after, end)) return -1;
  const start = startOfMention(text, end - after.length, mention, subject);
  return start !== -1 && text.endsWith(before, start) ? start - before.length : -1;
}

/** The middle that is `text[start..end)`; null where it cannot stand there. */
export function readMiddle(middle: Middle | null, text: string, start: number, end: number): string | null {
  if (start > end) return null;
  if (!middle) return start === end ? '' : null;
  if (middle.kind === 'choice') {
    for (const words of middle.words) {
      if (words.length === end - start && text.startsWith(words, start)) return words;
    }
    return null;
  }
  if (middle.kind === 'free') return middle.needsText && start === end ? null : text.slice(start, end);
  const words = text.slice(start, end);
  return middle.pattern.test(words) ? words : null;
}

/** The groups of a middle; without structure, it is one group by itself. */
export function groupsIn(middle: Middle | null, words: string): Groups | null {
  return middle?.kind === 'pattern' ? (middle.pattern.exec(words)?.groups ?? null) : null;
}
