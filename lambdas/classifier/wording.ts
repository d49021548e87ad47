import { type Mention, type Subject, spellings } from './mention.ts';
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
  | { readonly kind: 'free'; readonly group: string; readonly needsText: boolean }
  | { readonly kind: 'choice'; readonly group: string; readonly words: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: RegExp };

/** The named groups of a pattern. */
export type Groups = Readonly<Record<string, string | undefined>>;

const noGroups: Groups = {};

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
    return { kind: 'free', group, needsText: content === '.+' };
  }
  const words = content.split('|').map(tokensOf);
  if (group && words.flat().every(isWords)) {
    return { kind: 'choice', group, words: words.map(textOf) };
  }
  return { kind: 'pattern', pattern: new RegExp(`^${source}$`, flags) };
}

/** Where words that start at `at` end; -1 where they do not stand there. */
export function skipWords(
  text: string,
  at: number,
  { before, mention, after }: Words,
  subject: Subject | null,
): number {
  if (!text.startsWith(before, at)) return -1;
  const start = at + before.length;
  if (!mention) return start;
  if (!subject) return -1;
  for (const spelling of spellings(mention, subject)) {
    const end = start + spelling.length;
    if (text.startsWith(spelling, start) && text.startsWith(after, end)) return end + after.length;
  }
  return -1;
}

/** Where words that end at `end` start; -1 where they do not stand there. */
export function skipWordsBack(
  text: string,
  end: number,
  { before, mention, after }: Words,
  subject: Subject | null,
): number {
  if (!mention) return text.endsWith(before, end) ? end - before.length : -1;
  if (!subject || !text.endsWith(after, end)) return -1;
  for (const spelling of spellings(mention, subject)) {
    const start = end - after.length - spelling.length;
    if (text.endsWith(spelling, end - after.length) && text.endsWith(before, start))
      return start - before.length;
  }
  return -1;
}

/** The groups of a middle that is `text[start..end)`; null where that cannot stand there. */
export function readMiddle(middle: Middle | null, text: string, start: number, end: number): Groups | null {
  if (start > end) return null;
  if (!middle) return start === end ? noGroups : null;
  const words = text.slice(start, end);
  if (middle.kind === 'pattern') return middle.pattern.exec(words)?.groups ?? null;
  if (middle.kind === 'choice') return middle.words.includes(words) ? { [middle.group]: words } : null;
  return middle.needsText && start === end ? null : { [middle.group]: words };
}
