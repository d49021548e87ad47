import type { Mention } from './mention.ts';
import { isWords, mentionOf, textOf, tokensOf } from './tokens.ts';

/**
 * A wording of the grammar: a pattern, anchored at both ends, taken apart once so that a text is compared
 * with its words instead of being searched. What the words enclose is free text, one of a few words, or, where
 * it has structure, what remains of the pattern.
 */
export interface Wording {
  /** As the grammar has it. */
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

/** What stands between head and tail: free text, a choice of words, or what only a pattern can tell. */
export interface Middle {
  readonly kind: 'free' | 'choice' | 'pattern';
  /** Free text must not be empty. */
  readonly needsText: boolean;
  readonly choice: readonly string[];
  readonly pattern: RegExp;
}

/** The named groups of a pattern. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Takes a pattern apart; several where it mentions the entity as `⟨entity⟩`, with and without its label. */
export function wordingsOf(pattern: RegExp): readonly Wording[] {
  if (!/^\^.*[^\\]\$$/s.test(pattern.source)) {
    throw new Error(`pattern ${pattern} is not anchored at both ends`);
  }
  const source = pattern.source.slice(1, -1);
  if (!source.includes('⟨entity⟩')) return [wordingOf(pattern, source)];
  return ['⟨label⟩', '⟨name⟩'].map((mention) => wordingOf(pattern, source.replace('⟨entity⟩', mention)));
}

function wordingOf(pattern: RegExp, source: string): Wording {
  const tokens = tokensOf(source);
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
  const [, content = ''] = (tokens.length === 1 && /^\(\?<\w+>(.*)\)$/.exec(source)) || [];
  const needsText = content === '.+';
  const choices = content.split('|').map(tokensOf);
  const isChoice = content !== '' && choices.flat().every(isWords);
  return {
    kind: needsText || content === '.*' ? 'free' : isChoice ? 'choice' : 'pattern',
    needsText,
    choice: isChoice ? choices.map(textOf) : [],
    pattern: new RegExp(`^${source}$`, flags),
  };
}

export function hasWords({ before, mention }: Words): boolean {
  return before !== '' || mention !== null;
}

/** The middle that is `text[start..end)`; null where it cannot stand there. */
export function readMiddle(middle: Middle | null, text: string, start: number, end: number): string | null {
  if (start > end) return null;
  if (!middle) return start === end ? '' : null;
  if (middle.kind === 'choice') {
    for (const words of middle.choice) {
      if (words.length === end - start && text.startsWith(words, start)) return words;
    }
    return null;
  }
  if (middle.kind === 'free') return middle.needsText && start === end ? null : text.slice(start, end);
  const words = text.slice(start, end);
  return middle.pattern.test(words) ? words : null;
}

/** The groups of a middle that has structure; one without is a group by itself. */
export function groupsIn(middle: Middle | null, words: string): Groups | null {
  return middle?.kind === 'pattern' ? (middle.pattern.exec(words)?.groups ?? null) : null;
}
