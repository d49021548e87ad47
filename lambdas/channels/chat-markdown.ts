import { WORD_JOINER, withoutAddresses } from './word-joiner.ts';

/**
 * Text for Amazon Q's `client-markdown`, which is Slack's markup in Slack and Markdown in Teams. They share no escape
 * character. So angle brackets become characters that look alike, and an invisible word joiner precedes each character
 * that begins markup in either.
 */
export function chatMarkdown(text: string): string {
  const escaped = text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/[*_~`[\]()#@|!\\]|^[-+=]/gm, `${WORD_JOINER}$&`)
    .replace(/:(?=[\w+-]+:)/g, `:${WORD_JOINER}`);
  return withoutAddresses(escaped);
}
