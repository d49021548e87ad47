import { cutAtWord } from './clean-text.ts';

/**
 * Free text in plain mail. Nothing in plain text can be escaped, so its lines are marked: none of them can be taken
 * for a line of ours.
 */
export function plainQuote(text: string, longest: number): string {
  const cut = cutAtWord(text, longest);
  return cut.includes('\n') ? cut.replace(/^/gm, '> ') : `“${cut}”`;
}
