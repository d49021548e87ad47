import type { Mention } from './mention.ts';

/** A pattern's source as tokens: single characters, escapes, whole groups, mentions of the entity. */
export function tokensOf(source: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < source.length; ) {
    let end = endOfToken(source, at);
    while (['*', '+', '?'].includes(source.charAt(end))) end += 1;
    tokens.push(source.slice(at, end));
    at = end;
  }
  return tokens;
}

function endOfToken(source: string, at: number): number {
  const character = source.charAt(at);
  if (character === '\\') return at + 2;
  if (character === '⟨') return endOfMention(source, at);
  if (character !== '(') return at + 1;
  let end = at + 1;
  while (end < source.length && source.charAt(end) !== ')') end = endOfToken(source, end);
  return end + 1;
}

function endOfMention(source: string, at: number): number {
  const end = source.indexOf('⟩', at);
  if (end === -1) throw new Error(`pattern ${source} has no ⟩ after position ${at}`);
  return end + 1;
}

/** The character that a token stands for by itself; the empty text for any other token. */
function literalOf(token: string): string {
  if (/^\\\W$/.test(token)) return token.slice(1);
  return token.length === 1 && !'.|^$[]{}()\\'.includes(token) ? token : '';
}

export function mentionOf(token: string): Mention | null {
  const mention = /^⟨(label|Label|name|panel)⟩$/.exec(token)?.[1];
  return mention ? (mention as Mention) : null;
}

/** Whether the token is a character or a mention, without choice or repetition. */
export function isWords(token: string): boolean {
  return literalOf(token) !== '' || mentionOf(token) !== null;
}

/** The text that tokens stand for. */
export function textOf(tokens: readonly string[]): string {
  return tokens.map(literalOf).join('');
}
