import { WORD_JOINER } from './word-joiner.ts';

/**
 * Text for the facts of an Adaptive Card, which Teams reads as Markdown: each character of markup gets a backslash,
 * and date functions (`{{DATE(…)}}`) are taken apart. Text runs of rich text blocks are never parsed.
 */
export function cardText(text: string): string {
  return text
    .replace(/[\\`*_[\]<>~|]/g, '\\$&')
    .replace(/^([^\S\r\n]*)([-+#=]|\d+(?=[.)]\s))/gm, '$1\\$2')
    .replaceAll('{{', `{${WORD_JOINER}{`);
}
