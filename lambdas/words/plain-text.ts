import { cutAtWord } from './clean-text.ts';

/**
 * Free text in plain mail. Plain text has no escape characters, so each line of free text is marked: no reader takes it
 * for a line of the message itself.
 */
export function plainQuote(text: string, longest: number): string {
  const cut = cutAtWord(text, longest);
  return cut.includes('\n') ? cut.replace(/^/gm, '> ') : `“${cut}”`;
}
